-- One step of a match, if the match is still where the step was computed from.
-- KEYS: match, log, outbox of its shard, due index of its shard, jobs of its shard, mark of its deletion. All share a
--       hash tag.
-- ARGV: 1 expected version, 2 new version, 3 match, 4 log entry, 5 listing or '', 6 replay field or '',
--       7 what to remember there, 8 outbox task or '', 9 live channel, 10 live message,
--       11 the stamp of the expected version with it (<version>.<stamp>) or '', 12 that of the new one or '',
--       13 the due index: '' leaves it, '-' takes the match off, else the moment; 14 the match's id; then each job
-- Answers 1 if it happened, 0 if not, 2 if not because its replay field is there already. The first write fails before anything is written where writing is impossible
-- (out of memory, read-only), so that nothing happens by halves.
local found = redis.call('HMGET', KEYS[1], 'v', 's', ARGV[6])
if found[3] then
  return 2
end
if (found[1] or '0') ~= ARGV[1] then
  return 0
end
-- After a failover another step may have made this version: with another stamp, or with none (then an earlier version's
-- is left) by a release that knows none.
if ARGV[11] ~= '' and found[2] ~= ARGV[11] then
  return 0
end
if ARGV[1] == '0' and redis.call('EXISTS', KEYS[6]) == 1 then
  return 0
end
local task = ARGV[8]
local fields = {'v', ARGV[2], 'r', ARGV[3]}
if ARGV[5] ~= '' then
  -- The task carries the listing before, for the lists that the match has to be taken off.
  task = task .. (redis.call('HGET', KEYS[1], 'l') or '')
  fields[5], fields[6] = 'l', ARGV[5]
end
if ARGV[12] ~= '' then
  fields[#fields + 1] = 's'
  fields[#fields + 1] = ARGV[12]
end
if ARGV[6] ~= '' then
  fields[#fields + 1] = ARGV[6]
  fields[#fields + 1] = ARGV[7]
end
redis.call('HSET', KEYS[1], unpack(fields))
redis.call('RPUSH', KEYS[2], ARGV[4])
if task ~= '' then
  redis.call('RPUSH', KEYS[3], task)
end
if ARGV[13] == '-' then
  redis.call('ZREM', KEYS[4], ARGV[14])
elseif ARGV[13] ~= '' then
  redis.call('ZADD', KEYS[4], ARGV[13], ARGV[14])
end
for job = 15, #ARGV do
  redis.call('RPUSH', KEYS[5], ARGV[job])
end
redis.call('PUBLISH', ARGV[9], ARGV[10])
return 1
