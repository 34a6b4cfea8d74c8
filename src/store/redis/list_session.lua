-- Adds a session to its player's set. The set may name too many sessions, never too few.
-- KEYS: sessions of the player. ARGV: 1 session, 2 its end (ms), 3 now (ms)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.max(1, tonumber(last[2]) - tonumber(ARGV[3]))))
return 1
