-- Remembers the revocation of a session, and informs every instance.
-- KEYS: revocations. ARGV: 1 session, 2 the end of the revocation (ms), 3 now (ms), 4 live channel
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
redis.call('ZADD', KEYS[1], 'GT', ARGV[2], ARGV[1])
local remembered = redis.call('ZSCORE', KEYS[1], ARGV[1])
redis.call('PUBLISH', ARGV[4], ARGV[1] .. ':' .. string.format('%.0f', tonumber(remembered)))
return 1
