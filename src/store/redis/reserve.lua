-- Reserves a key unless something stands under it.
-- KEYS: reservation. ARGV: 1 what to reserve, 2 for how many seconds
-- Answers what stands there from now on.
local held = redis.call('GET', KEYS[1])
if held then
  return held
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return ARGV[1]
