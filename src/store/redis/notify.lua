-- Adds notices to inboxes: those they do not hold yet, numbered on without gaps. Publishes whose inboxes grew, and whose
-- hold a notice already: it may be of a version that a failover has lost and another step has made again.
-- KEYS: inboxes, of either kind. ARGV: 1 live channel, 2 how many to keep, 3 what an inbox is made as, 'list' or 'zset';
-- then for each inbox: its player, how many notices, and these, `<match>:<version>`.
local told = {}
local kept = tonumber(ARGV[2])
local at = 4
for i = 1, #KEYS do
  local last = at + 1 + tonumber(ARGV[at + 1])
  local kind = redis.call('TYPE', KEYS[i]).ok
  if kind == 'none' then
    kind = ARGV[3]
    if kind == 'list' then
      redis.call('RPUSH', KEYS[i], 0)
    end
  end
  if kind == 'list' then
    for j = at + 2, last do
      if not redis.call('LPOS', KEYS[i], ARGV[j], 'RANK', -1) then
        redis.call('RPUSH', KEYS[i], ARGV[j])
      end
    end
    -- Now and then, for several at once: in front stands how many were dropped.
    local spare = redis.call('LLEN', KEYS[i]) - 1 - kept
    if spare >= 64 then
      redis.call('LSET', KEYS[i], spare, redis.call('LINDEX', KEYS[i], 0) + spare)
      redis.call('LTRIM', KEYS[i], spare, -1)
    end
  else
    local newest = redis.call('ZREVRANGE', KEYS[i], 0, 0, 'WITHSCORES')
    local before = tonumber(newest[2] or '0')
    local number = before
    for j = at + 2, last do
      number = number + redis.call('ZADD', KEYS[i], 'NX', number + 1, ARGV[j])
    end
    -- Now and then, as above.
    if number > kept and math.floor(number / 64) > math.floor(before / 64) then
      redis.call('ZREMRANGEBYRANK', KEYS[i], 0, -(kept + 1))
    end
  end
  told[#told + 1] = ARGV[at]
  at = last + 1
end
if #told > 0 then
  redis.call('PUBLISH', ARGV[1], table.concat(told, ','))
end
return #told
