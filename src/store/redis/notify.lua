-- Adds missing notices to inboxes, numbered on without gaps. Publishes the players of all these inboxes, also where the
-- notice existed: it may be of a version that a failover has lost and another step has made again.
-- KEYS: inboxes. ARGV: 1 live channel, 2 number of notices to keep; then for each inbox: its player, the number of its
--       new notices, and these, `<match>:<version>`.
local told = {}
local kept = tonumber(ARGV[2])
local at = 3
for i = 1, #KEYS do
  local last = at + 1 + tonumber(ARGV[at + 1])
  if redis.call('EXISTS', KEYS[i]) == 0 then
    redis.call('RPUSH', KEYS[i], 0)
  end
  local grew = false
  for j = at + 2, last do
    if not redis.call('LPOS', KEYS[i], ARGV[j], 'RANK', -1) then
      grew = true
      redis.call('RPUSH', KEYS[i], ARGV[j])
    end
  end
  if not grew then
    -- A write that changes nothing, so that whoever waits for replicas waits until they have what stands there.
    redis.call('LSET', KEYS[i], 0, redis.call('LINDEX', KEYS[i], 0))
  end
  -- Drops several notices at a time; the list begins with the number of dropped ones.
  local spare = redis.call('LLEN', KEYS[i]) - 1 - kept
  if spare >= 64 then
    redis.call('LSET', KEYS[i], spare, redis.call('LINDEX', KEYS[i], 0) + spare)
    redis.call('LTRIM', KEYS[i], spare, -1)
  end
  told[#told + 1] = ARGV[at]
  at = last + 1
end
if #told > 0 then
  redis.call('PUBLISH', ARGV[1], table.concat(told, ','))
end
return #told
