-- Moves the check of a player's deletion, or ends the deletion, if it is still as found.
-- KEYS: deletions under way, the moments since which no work was left. ARGV: 1 player, 2 the found check (ms); to move
--       it 3 the next check (ms), 4 the moment since which no work was left (ms)
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
