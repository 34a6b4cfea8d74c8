-- Restores an inbox, unless the present one has a newer notice.
-- KEYS: inbox. ARGV: 1 newest number, 2 live channel, 3 player; then each notice, `<match>:<version>`, oldest first
-- Answers 1 if written, 2 if the same inbox exists, 0 if the present one was kept.
local newest, wanted = 0, tonumber(ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 1 then
  newest = redis.call('LINDEX', KEYS[1], 0) + redis.call('LLEN', KEYS[1]) - 1
end
if newest == wanted then
  return 2
end
if newest > wanted or #ARGV < 4 then
  return 0
end
redis.call('DEL', KEYS[1])
-- The list begins with the number of dropped notices.
redis.call('RPUSH', KEYS[1], wanted - (#ARGV - 3))
for i = 4, #ARGV do
  redis.call('RPUSH', KEYS[1], ARGV[i])
end
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1
