-- Ends a session: a tombstone says that it was revoked, so that no instance writes it again.
-- KEYS: session. ARGV: 1 the end of the revocation (ms), 2 now (ms)
local held = redis.call('HMGET', KEYS[1], 'n', 'e')
if held[1] == 'revoked' and tonumber(held[2]) >= tonumber(ARGV[1]) then
  return 0
end
redis.call('DEL', KEYS[1])
local span = tonumber(ARGV[1]) - tonumber(ARGV[2])
if span > 0 then
  redis.call('HSET', KEYS[1], 'n', 'revoked', 'e', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', span))
end
return 1
