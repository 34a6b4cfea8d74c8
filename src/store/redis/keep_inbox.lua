-- Keeps an inbox as the other kind, with its numbers; one whose numbers have gaps stays a sorted set.
-- KEYS: inbox. ARGV: 1 the kind that it is to be: 'list' or 'zset'
-- Answers 1 if it was the other.
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == ARGV[1] or (kind ~= 'list' and kind ~= 'zset') then
  return 0
end
if kind == 'list' then
  local members = redis.call('LRANGE', KEYS[1], 0, -1)
  redis.call('DEL', KEYS[1])
  for place = 2, #members do
    redis.call('ZADD', KEYS[1], members[1] + place - 1, members[place])
  end
  return 1
end
local members = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
local count, first = #members / 2, tonumber(members[2])
if tonumber(members[#members]) - first ~= count - 1 then
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('RPUSH', KEYS[1], first - 1)
for place = 1, #members, 2 do
  redis.call('RPUSH', KEYS[1], members[place])
end
return 1
