-- Replaces or removes the plan of a seat, if it is still as found.
-- KEYS: match, its plans. Both share a hash tag.
-- ARGV: 1 seat, 2 the found plan, 3 the new plan or ''
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
