-- Puts a job into its queue, unless it is there or was done.
-- KEYS: part of a queue, job. ARGV: 1 id, 2 ready at, 3 the job
if redis.call('HSETNX', KEYS[2], 'b', ARGV[3]) == 0 then
  return 0
end
redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
return 1
