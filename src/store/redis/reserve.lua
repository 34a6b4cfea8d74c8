-- Reserves a key unless something stands under it.
-- KEYS: reservation. ARGV: 1 what to reserve, 2 for how many seconds
-- Answers what stands there from now on.
local held = redis.call('GET', KEYS[1])
if held then
  -- A write that changes nothing, so that whoever waits for replicas waits until they have what stands there.
  local left = redis.call('PTTL', KEYS[1])
  if left > 0 then
    redis.call('PEXPIRE', KEYS[1], left)
  end
  return held
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return ARGV[1]
