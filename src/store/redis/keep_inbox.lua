-- Keeps an inbox as the other kind, with its numbers; one whose numbers have gaps stays a sorted set.
-- KEYS: inbox. ARGV: 1 the kind that it is to be: 'list' or 'zset'
-- Answers 1 if it was the other.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == ARGV[1] or (kind ~= 'list' and kind ~= 'zset') then
  return 0
end
local written = {}
if kind == 'list' then
  local members = redis.call('LRANGE', KEYS[1], 0, -1)
  for place = 2, #members do
    written[#written + 1] = members[1] + place - 1
    written[#written + 1] = members[place]
  end
else
  local members = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
  local first = tonumber(members[2])
  if tonumber(members[#members]) - first ~= #members / 2 - 1 then
    return 0
  end
  written[1] = first - 1
  for place = 1, #members, 2 do
    written[#written + 1] = members[place]
  end
end
redis.call('DEL', KEYS[1])
-- Lua passes on some thousand arguments at most.
for from = 1, #written, 1000 do
  redis.call(ARGV[1] == 'list' and 'RPUSH' or 'ZADD', KEYS[1], unpack(written, from, math.min(from + 999, #written)))
end
return 1
