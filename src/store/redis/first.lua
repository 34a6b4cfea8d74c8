-- A moment by its name: now, if the name is new.
-- KEYS: moments. ARGV: 1 name, 2 now
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
return redis.call('HGET', KEYS[1], ARGV[1])
