-- Reserves a key unless it is reserved.
-- KEYS: reservation. ARGV: 1 the value, 2 duration (s)
-- Answers the reservation that holds from now on.
local held = redis.call('GET', KEYS[1])
if held then
  -- A write that changes nothing, so that a wait for replicas covers the reservation.
  local left = redis.call('PTTL', KEYS[1])
  if left > 0 then
    redis.call('PEXPIRE', KEYS[1], left)
  end
  return held
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return ARGV[1]
