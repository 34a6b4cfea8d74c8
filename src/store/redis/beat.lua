-- A heartbeat: forgets the dead, and notes the outage that ends with it. Carried out twice it does the same.
-- KEYS: heartbeats, when the service was last there, outages. All share a hash tag.
-- ARGV: 1 instance, with '-' in front if it only serves, 2 now, 3 who has no heartbeat after this moment is dead,
--       4 when an outage has begun at the earliest that ends now, '' if none can, 5 how long two heartbeats are apart
--       where others live, 6 outages that ended before this moment are forgotten, 7 the newest outage that is known or ''
-- Answers how many work, whether there are other outages than are known, and if so all.
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
local living, working = redis.call('ZRANGE', KEYS[1], 0, -1), 0
for _, instance in ipairs(living) do
  if string.sub(instance, 1, 1) ~= '-' then
    working = working + 1
  end
end
local now, there = tonumber(ARGV[2]), tonumber(redis.call('GET', KEYS[2]) or '')
if there and ARGV[4] ~= '' then
  local from, usual = math.max(there, tonumber(ARGV[4])), 0
  if #living > 1 then
    usual = tonumber(ARGV[5])
  end
  if now - from > usual then
    redis.call('RPUSH', KEYS[3], string.format('%.0f:%.0f', from, now))
  end
end
if not there or there < now then
  redis.call('SET', KEYS[2], ARGV[2])
end
while true do
  local ended = string.match(redis.call('LINDEX', KEYS[3], 0) or '', '^%d+:(%d+)$')
  if not ended or tonumber(ended) >= tonumber(ARGV[6]) then
    break
  end
  redis.call('LPOP', KEYS[3])
end
if (redis.call('LINDEX', KEYS[3], -1) or '') == ARGV[7] then
  return {working, 0, {}}
end
return {working, 1, redis.call('LRANGE', KEYS[3], 0, -1)}
