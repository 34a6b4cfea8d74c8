-- Orders a job, unless it is there.
-- KEYS: bodies of the shard's jobs, jobs of its kind. ARGV: 1 id, 2 field of its body, 3 moment (ms), 4 body
if redis.call('HSETNX', KEYS[1], ARGV[2], ARGV[4]) == 1 then
  redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
end
return 1
