-- Adds or renews subscriptions of instances.
-- KEYS: subscriptions. ARGV: 1 duration (s), then the buckets.
local till = redis.call('TIME')[1] + ARGV[1]
for i = 2, #ARGV do
  redis.call('HSET', KEYS[1], ARGV[i], string.format('%.0f', till))
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
