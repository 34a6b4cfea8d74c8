-- Moves the look at a player who is to be seen off, or takes it off, if it still stands where it was found.
-- KEYS: who is to be seen off, since when they had nothing to do. ARGV: 1 player, 2 where the look was found (ms); to move it
-- 3 to when (ms), 4 since when there was nothing left to do (ms)
-- Answers 1 if it happened, 0 if not.
local stands = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not stands or tonumber(stands) ~= tonumber(ARGV[2]) then
  return 0
end
if ARGV[3] then
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
end
return 1
