-- Restores a match, unless a newer version of it exists, or another of the same number.
-- KEYS: match, log, outbox of its shard, due index of its shard, tombstone, archive. All share a hash tag.
-- ARGV: 1 version, 2 match, 3 its stamp, 4 listing or '', 5 outbox task, 6 live channel, 7 live message, 8 the due
--       index: '-' removes the match, else the moment; 9 the match's id; 10 number of replay keys; then field and value
--       of each of these; then the log entries
-- Answers 1 if written, 2 if the same match exists, 0 if the present one was kept.
local held = redis.call('HMGET', KEYS[1], 'v', 'r', 's', 'l')
local before, version = tonumber(held[1] or '0'), tonumber(ARGV[1])
if before > version then
  return 0
end
if before == version then
  return held[2] == ARGV[2] and held[3] == ARGV[3] and 2 or 0
end
if before == 0 and redis.call('EXISTS', KEYS[5]) == 1 then
  return 0
end
-- The first write fails where writing is impossible (out of memory, read-only), so that nothing happens by halves.
redis.call('RPUSH', KEYS[3], ARGV[5] .. (held[4] or ''))
redis.call('DEL', KEYS[2], KEYS[6])
redis.call('HSET', KEYS[1], 'v', ARGV[1], 'r', ARGV[2], 's', ARGV[3])
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[1], 'l', ARGV[4])
end
if ARGV[8] == '-' then
  redis.call('ZREM', KEYS[4], ARGV[9])
else
  redis.call('ZADD', KEYS[4], ARGV[8], ARGV[9])
end
local at = 11
for _ = 1, tonumber(ARGV[10]) do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1])
  at = at + 2
end
for i = at, #ARGV do
  redis.call('RPUSH', KEYS[2], ARGV[i])
end
redis.call('PUBLISH', ARGV[6], ARGV[7])
return 1
