-- Notes that an instance has closed its listener: the service was there up to then.
-- KEYS: heartbeats, the last moment at which the service was there. Both share a hash tag.
-- ARGV: 1 and 2 the two forms of the instance, 3 the moment
redis.call('ZREM', KEYS[1], ARGV[1], ARGV[2])
if tonumber(ARGV[3]) > tonumber(redis.call('GET', KEYS[2]) or '0') then
  redis.call('SET', KEYS[2], ARGV[3])
end
return 1
