-- Takes one unit from a token bucket. One unit counts 60000, so that a millisecond adds `per minute` whole counts.
-- KEYS: bucket. ARGV: 1 burst, 2 per minute
-- Answers {1 if taken or 0, whole units left, milliseconds until one can be taken}.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local full, gain, one = tonumber(ARGV[1]) * 60000, tonumber(ARGV[2]), 60000
local held = redis.call('HMGET', KEYS[1], 't', 'm')
local left, at = full, now
if held[1] then
  local passed = math.max(0, now - tonumber(held[2]))
  left = math.min(full, tonumber(held[1]) + passed * gain)
  -- A clock that was set back must not bring the same time twice.
  at = math.max(now, tonumber(held[2]))
end
local allowed = 0
if left >= one then
  allowed = 1
  left = left - one
end
redis.call('HSET', KEYS[1], 't', string.format('%.0f', left), 'm', string.format('%.0f', at))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.ceil((full - left) / gain) + 1000))
return {allowed, math.floor(left / one), math.ceil(math.max(0, one - left) / gain)}
