-- Puts another value in the place of an item, or takes it away, if it still is what was found.
-- KEYS: items of a kind. ARGV: 1 name, 2 what was found or '', 3 what comes in its place or '', 4 the most items of the kind
-- Answers 1 if it was changed, 0 if another value stands there, 2 if there is no room for one more.
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then
  return 0
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
  return 1
end
if ARGV[2] == '' and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[4]) then
  return 2
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
