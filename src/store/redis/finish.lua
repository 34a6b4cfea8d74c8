-- Takes a job off its queue that is done, if the claim still stands, and remembers it.
-- KEYS: part of a queue, job. ARGV: 1 id, 2 the end of the lease, 3 now, 4 for how many seconds it is remembered
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then
  return 0
end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[2], 'd', ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return 1
