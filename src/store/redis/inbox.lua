-- Reads notices and the newest number at one moment.
-- KEYS: inbox. ARGV: 1 the number above which notices are read, 2 the maximum number of notices
-- Answers {newest number, member, number, member, number, …}.
-- The list begins with the number of dropped notices, so that the place of a notice gives its number.
local dropped = tonumber(redis.call('LINDEX', KEYS[1], 0) or '1')
local answer = {tostring(dropped + redis.call('LLEN', KEYS[1]) - 1)}
local first = math.max(1, tonumber(ARGV[1]) - dropped + 1)
for place, member in ipairs(redis.call('LRANGE', KEYS[1], first, first + tonumber(ARGV[2]) - 1)) do
  answer[2 * place] = member
  answer[2 * place + 1] = tostring(dropped + first + place - 1)
end
return answer
