-- Adds notices to inboxes: those they do not hold yet, numbered on without gaps. Publishes whose inboxes grew, and whose
-- hold a notice already: it may be of a version that a failover has lost and another step has made again.
-- KEYS: inboxes. ARGV: 1 live channel, 2 how many to keep; then for each inbox: its player, how many notices, and
-- these, `<match>:<version>`.
local told = {}
local kept = tonumber(ARGV[2])
local at = 3
for i = 1, #KEYS do
  local newest = redis.call('ZREVRANGE', KEYS[i], 0, 0, 'WITHSCORES')
  local before = tonumber(newest[2] or '0')
  local number = before
  local last = at + 1 + tonumber(ARGV[at + 1])
  for j = at + 2, last do
    number = number + redis.call('ZADD', KEYS[i], 'NX', number + 1, ARGV[j])
  end
  told[#told + 1] = ARGV[at]
  -- Now and then, for several at once.
  if number > kept and math.floor(number / 64) > math.floor(before / 64) then
    redis.call('ZREMRANGEBYRANK', KEYS[i], 0, -(kept + 1))
  end
  at = last + 1
end
if #told > 0 then
  redis.call('PUBLISH', ARGV[1], table.concat(told, ','))
end
return #told
