-- Claims a match for its thinker, or renews the claim.
-- KEYS: claim. ARGV: 1 who, 2 for how long (ms)
-- Answers 0 if it is theirs now, else for how long it is another's (ms).
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return math.max(redis.call('PTTL', KEYS[1]), 1) end
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
