-- Moves or removes a job, if it is still due at the moment as found.
-- KEYS: bodies of the shard's jobs, jobs of its kind. ARGV: 1 id, 2 field of its body, 3 the found moment (ms), 4 the
--       new moment or '-', 5 the new body or ''
local score = redis.call('ZSCORE', KEYS[2], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[3]) then
  return 0
end
if ARGV[4] == '-' then
  redis.call('ZREM', KEYS[2], ARGV[1])
  redis.call('HDEL', KEYS[1], ARGV[2])
else
  redis.call('ZADD', KEYS[2], 'XX', ARGV[4], ARGV[1])
  if ARGV[5] ~= '' then
    redis.call('HSET', KEYS[1], ARGV[2], ARGV[5])
  end
end
return 1
