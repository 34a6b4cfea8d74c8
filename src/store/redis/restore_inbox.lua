-- Writes an inbox as it was kept elsewhere, as a sorted set, unless the one here has a newer notice.
-- KEYS: inbox, of either kind. ARGV: 1 newest number, 2 live channel, 3 player; then number and `<match>:<version>` of each notice
-- Answers 1 if written, 2 if it was so already, 0 if what is here was kept.
local newest, wanted = nil, tonumber(ARGV[1])
if redis.call('TYPE', KEYS[1]).ok == 'list' then
  newest = redis.call('LINDEX', KEYS[1], 0) + redis.call('LLEN', KEYS[1]) - 1
else
  newest = tonumber(redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] or '0')
end
if newest == wanted then
  return 2
end
if newest > wanted or #ARGV < 4 then
  return 0
end
redis.call('DEL', KEYS[1])
for i = 4, #ARGV, 2 do
  redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i + 1])
end
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1
