-- Sets the listing of a match, if it is still at this version.
-- KEYS: match. ARGV: 1 version, 2 listing
-- Answers the listing before ('' if there was none), or nothing if the match is at another version.
local held = redis.call('HMGET', KEYS[1], 'v', 'l')
if held[1] ~= ARGV[1] then
  return false
end
redis.call('HSET', KEYS[1], 'l', ARGV[2])
return held[2] or ''
