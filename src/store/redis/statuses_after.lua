-- Returns the player statuses with a revision above the given one, ascending.
-- KEYS: statuses, their order. ARGV: 1 revision, 2 maximum number. Answers players and statuses in turn.
local players = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '+inf', 'LIMIT', 0, ARGV[2])
local answer = {}
for _, player in ipairs(players) do
  answer[#answer + 1] = player
  answer[#answer + 1] = redis.call('HGET', KEYS[1], player)
end
return answer
