-- Moves or removes a match in the due index, if its entry is still as found.
-- KEYS: due index of its shard. ARGV: 1 match, 2 the found moment, 3 the new moment or '-'
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score or tonumber(score) ~= tonumber(ARGV[2]) then
  return 0
end
if ARGV[3] == '-' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], 'XX', ARGV[3], ARGV[1])
end
return 1
