-- Puts a match on lists and removes it from others.
-- KEYS: the lists to be on, then those to be off. ARGV: 1 match, 2 number of lists to be on
local on = tonumber(ARGV[2])
for i = 1, #KEYS do
  if i <= on then
    redis.call('ZADD', KEYS[i], 0, ARGV[1])
  else
    redis.call('ZREM', KEYS[i], ARGV[1])
  end
end
return 1
