-- Puts something else in the place of a seat's plan, or takes it away, if it still is what was found.
-- KEYS: match, its plans. Both share a hash tag.
-- ARGV: 1 seat, 2 what was found, 3 what comes in its place or ''
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then
  return 0
end
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
  return 1
end
redis.call('HDEL', KEYS[2], ARGV[1])
if redis.call('EXISTS', KEYS[2]) == 0 then
  redis.call('HDEL', KEYS[1], 'p')
end
return 1
