-- Packs the log of a match into one value, if the match is still at the expected version.
-- KEYS: match, log, archive, due index of its shard. All share a hash tag.
-- ARGV: 1 expected version, 2 its stamp, 3 the packed log, 4 the due index: '' leaves it,
--       '-' takes the match off, else the moment; 5 the match's id
-- Answers 1 if it happened, 2 if the match is archived already, 0 if it is not at that version.
local found = redis.call('HMGET', KEYS[1], 'v', 's')
if found[1] ~= ARGV[1] or found[2] ~= ARGV[2] then
  return 0
end
if redis.call('EXISTS', KEYS[3]) == 1 then
  return 2
end
if redis.call('LLEN', KEYS[2]) ~= tonumber(ARGV[1]) then
  return 0
end
-- The first write fails where writing is impossible (out of memory, read-only), so that nothing happens by halves.
redis.call('SET', KEYS[3], ARGV[3])
redis.call('DEL', KEYS[2])
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 1) == 'k' then
    redis.call('HDEL', KEYS[1], field)
  end
end
if ARGV[4] == '-' then
  redis.call('ZREM', KEYS[4], ARGV[5])
elseif ARGV[4] ~= '' then
  redis.call('ZADD', KEYS[4], ARGV[4], ARGV[5])
end
return 1
