-- Reads notices and the newest number at one moment.
-- KEYS: inbox. ARGV: 1 only above this number, 2 at most so many
-- Answers {newest number, member, number, member, number, …}.
-- In front stands how many notices were dropped, and so the number of each by its place.
local dropped = tonumber(redis.call('LINDEX', KEYS[1], 0) or '1')
local answer = {tostring(dropped + redis.call('LLEN', KEYS[1]) - 1)}
local first = math.max(1, tonumber(ARGV[1]) - dropped + 1)
for place, member in ipairs(redis.call('LRANGE', KEYS[1], first, first + tonumber(ARGV[2]) - 1)) do
  answer[2 * place] = member
  answer[2 * place + 1] = tostring(dropped + first + place - 1)
end
return answer
