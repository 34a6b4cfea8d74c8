-- An instance has closed its listener: up to then the service was there.
-- KEYS: heartbeats, when the service was last there. Both share a hash tag.
-- ARGV: 1 and 2 the instance as it may stand there, 3 when
redis.call('ZREM', KEYS[1], ARGV[1], ARGV[2])
if tonumber(ARGV[3]) > tonumber(redis.call('GET', KEYS[2]) or '0') then
  redis.call('SET', KEYS[2], ARGV[3])
end
return 1
