-- Puts a match on lists and removes it from others.
-- KEYS: the lists to be on, then those to be off. ARGV: 1 match, 2 number of lists to be on
local on = tonumber(ARGV[2])
for i = 1, #KEYS do
  if i <= on then
    if redis.call('ZADD', KEYS[i], 0, ARGV[1]) == 0 then
      -- A write that changes nothing, so that whoever waits for replicas waits until they have what stands there.
      redis.call('ZREM', KEYS[i], ARGV[1])
      redis.call('ZADD', KEYS[i], 0, ARGV[1])
    end
  else
    redis.call('ZREM', KEYS[i], ARGV[1])
  end
end
return 1
