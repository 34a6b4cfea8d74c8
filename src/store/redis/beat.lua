-- A heartbeat; forgets the dead.
-- KEYS: instances. ARGV: 1 instance, 2 now, 3 who has no heartbeat after this moment is dead
-- Answers how many live.
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
return redis.call('ZCARD', KEYS[1])
