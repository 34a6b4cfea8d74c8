-- Notes a heartbeat and the outage that it ends, and removes dead instances. Idempotent.
-- KEYS: heartbeats, the last moment at which the service was there, outages. All share a hash tag.
-- ARGV: 1 instance, with '-' in front if it only serves, 2 now, 3 the moment after which a living instance has a
--       heartbeat, 4 the earliest beginning of an outage that ends now, '' if none can, 5 the longest gap between
--       heartbeats that is no outage where other instances live, 6 the moment before which ended outages are forgotten,
--       7 the newest known outage or ''
-- Answers the number of working instances, 1 if there are other outages than the known ones, and then all outages.
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
    -- One that goes on stays one.
    local before, ended = string.match(redis.call('LINDEX', KEYS[3], -1) or '', '^(%d+):(%d+)$')
    if ended and tonumber(ended) == from then
      redis.call('RPOP', KEYS[3])
      from = tonumber(before)
    end
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
