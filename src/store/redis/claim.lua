-- Claims jobs that are ready, those that are so for longest first.
-- KEYS: part of a queue. ARGV: 1 now, 2 the end of the lease, 3 at most so many
-- Answers their ids.
local ready = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, id in ipairs(ready) do
  redis.call('ZADD', KEYS[1], 'XX', ARGV[2], id)
end
return ready
