-- Tells the marks with a revision above one, ascending.
-- KEYS: marks, their order. ARGV: 1 revision, 2 at most so many. Answers players and marks in turn.
local players = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '+inf', 'LIMIT', 0, ARGV[2])
local answer = {}
for _, player in ipairs(players) do
  answer[#answer + 1] = player
  answer[#answer + 1] = redis.call('HGET', KEYS[1], player)
end
return answer
