-- Notes an outage, once: several instances may find the same one, each with an end of its own, of which the latest counts.
-- KEYS: outages. ARGV: 1 from, 2 to, 3 outages that ended before this moment are forgotten
local last = redis.call('LINDEX', KEYS[1], -1)
local from, to = string.match(last or '', '^(%d+):(%d+)$')
if from == ARGV[1] then
  if tonumber(to) < tonumber(ARGV[2]) then
    redis.call('LSET', KEYS[1], -1, ARGV[1] .. ':' .. ARGV[2])
  end
else
  redis.call('RPUSH', KEYS[1], ARGV[1] .. ':' .. ARGV[2])
end
while true do
  local first = redis.call('LINDEX', KEYS[1], 0)
  local ended = string.match(first or '', '^%d+:(%d+)$')
  if not ended or tonumber(ended) >= tonumber(ARGV[3]) then
    return 1
  end
  redis.call('LPOP', KEYS[1])
end
