-- Claims a match for the instance that thinks for its bots, or renews the claim.
-- KEYS: claim. ARGV: 1 the holder, 2 duration (ms)
-- Answers 0 if the holder has it now, else the time that is left to another holder (ms).
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return math.max(redis.call('PTTL', KEYS[1]), 1) end
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
