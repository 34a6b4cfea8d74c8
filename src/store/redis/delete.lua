-- Deletes a match, if it is still at the expected version.
-- KEYS: match, log, outbox of its shard, due index of its shard, tombstone, checkpoints, archive, plans. All share a
--       hash tag.
-- ARGV: 1 expected version, 2 its stamp, 3 match, 4 outbox task, 5 seconds for which the tombstone is kept, 6 live
--       channel, 7 live message
-- Answers 1 if it happened, 0 if not.
local found = redis.call('HMGET', KEYS[1], 'v', 's', 'l')
if found[1] ~= ARGV[1] or found[2] ~= ARGV[2] then
  return 0
end
redis.call('SET', KEYS[5], 1, 'EX', ARGV[5])
redis.call('DEL', KEYS[1], KEYS[2], KEYS[6], KEYS[7], KEYS[8])
redis.call('ZREM', KEYS[4], ARGV[3])
-- The task carries the listing, for the lists that the match is removed from.
redis.call('RPUSH', KEYS[3], ARGV[4] .. (found[3] or ''))
redis.call('PUBLISH', ARGV[6], ARGV[7])
return 1
