-- Writes a player if it is still at the expected revision.
-- KEYS: player. ARGV: 1 trailer of the expected revision ('' for a new player), 2 new value with its trailer
-- Answers 1 if written, 0 if not. A value without a trailer is of a release that had no revisions: it is at the first.
local held = redis.call('GET', KEYS[1])
local found = ''
if held then
  found = string.match(held, '\n\t[ \t]*$') or '\n\t'
end
if found ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
