-- Appends entries to the log of a category and writes ratings, if the log still has the expected length.
-- KEYS: log, places of matches, ratings, board. ARGV: 1 expected length, 2 number of entries, then of each its text and its
--       match or '', then for each rating the player, the stored rating or '', the key on the board or ''
-- Answers 1 if it had, else 0.
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then
  return 0
end
local at = 3
for number = 0, tonumber(ARGV[2]) - 1 do
  redis.call('RPUSH', KEYS[1], ARGV[at])
  if ARGV[at + 1] ~= '' then
    redis.call('HSET', KEYS[2], ARGV[at + 1], string.format('%d', ARGV[1] + number))
  end
  at = at + 2
end
while at < #ARGV do
  if ARGV[at + 1] == '' then
    redis.call('HDEL', KEYS[3], ARGV[at])
  else
    redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1])
  end
  if ARGV[at + 2] == '' then
    redis.call('ZREM', KEYS[4], ARGV[at])
  else
    redis.call('ZADD', KEYS[4], ARGV[at + 2], ARGV[at])
  end
  at = at + 3
end
return 1
