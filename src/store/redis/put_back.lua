-- Gives up a claim, if it still stands.
-- KEYS: part of a queue. ARGV: 1 id, 2 the end of the lease, 3 ready at
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then
  return 0
end
redis.call('ZADD', KEYS[1], 'XX', ARGV[3], ARGV[1])
return 1
