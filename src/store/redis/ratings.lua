-- Reads ratings of a category.
-- KEYS: log, places of matches, ratings. ARGV: 1 match or '', then players
-- Answers the length of the log, the place of the match if it has one, and the rating of each player.
local found = {}
for at = 2, #ARGV do
  found[at - 1] = redis.call('HGET', KEYS[3], ARGV[at])
end
return { redis.call('LLEN', KEYS[1]), redis.call('HGET', KEYS[2], ARGV[1]), found }
