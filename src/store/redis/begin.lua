-- Counts that a claimed job is begun. What names no job goes off the queue.
-- KEYS: part of a queue, job. ARGV: 1 id
-- Answers {the job, how often it was begun}, or nothing.
local job = redis.call('HGET', KEYS[2], 'b')
if not job then
  redis.call('ZREM', KEYS[1], ARGV[1])
  return false
end
return {job, tostring(redis.call('HINCRBY', KEYS[2], 'n', 1))}
