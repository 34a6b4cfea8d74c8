-- Writes the plan of a seat, if the match is still at the expected version.
-- KEYS: match, its plans. Both share a hash tag.
-- ARGV: 1 version, 2 its stamp, 3 seat, 4 plan, 5 seconds for which all are kept
local found = redis.call('HMGET', KEYS[1], 'v', 's')
if found[1] ~= ARGV[1] or found[2] ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], 'p', 1)
redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[5])
return 1
