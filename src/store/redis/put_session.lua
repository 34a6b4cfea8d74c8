-- Writes a session if it is still at the expected revision. An ended or revoked session has no revision.
-- KEYS: session. ARGV: 1 expected revision, 2 new revision, 3 the stored session, 4 end (ms), 5 now (ms)
-- Answers 1 if written, 0 if not. The caller's clock gives the span; the server counts it down.
local held = redis.call('HMGET', KEYS[1], 'n', 'e')
local revision = held[1] or '0'
if held[2] and tonumber(held[2]) <= tonumber(ARGV[5]) then
  revision = '0'
end
if revision ~= ARGV[1] then
  return 0
end
local span = tonumber(ARGV[4]) - tonumber(ARGV[5])
if span > 0 then
  redis.call('HSET', KEYS[1], 'n', ARGV[2], 'r', ARGV[3], 'e', ARGV[4])
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', span))
else
  redis.call('DEL', KEYS[1])
end
return 1
