-- Replaces or removes an item, if its value is still as found, and informs every instance where that is asked for.
-- KEYS: items of a kind. ARGV: 1 name, 2 the found value or '', 3 the new value or '', 4 the maximum number of items of
--       the kind; of a kind that is announced also 5 live channel, 6 the message
-- Answers 1 if it was changed, 0 if another value was found, 2 if there is no room for one more.
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then
  return 0
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
elseif ARGV[2] == '' and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then
  return 2
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
if ARGV[5] then
  redis.call('PUBLISH', ARGV[5], ARGV[6])
end
return 1
