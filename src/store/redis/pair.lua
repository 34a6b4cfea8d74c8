-- Changes records of players in matchmaking together, if each is as it was found, and notes a match to make.
-- KEYS: 1 records, 2 matches to make, then a key for each queue.
-- ARGV: 1 match or empty, 2 its content, then for each player: the player, the record found and the new one (empty for
--   none), the number of places left and for each the place of its queue in KEYS, the number of places entered and for each
--   the place of its queue in KEYS and its moment.
-- Answers 1 if the changes were made, else 0.
local changes, next = {}, 3
local function take()
  next = next + 1
  return ARGV[next - 1]
end
while next <= #ARGV do
  local change = { player = take(), found = take(), by = take(), leaves = {}, enters = {} }
  for place = 1, tonumber(take()) do change.leaves[place] = KEYS[tonumber(take())] end
  for place = 1, tonumber(take()) do change.enters[place] = { KEYS[tonumber(take())], take() } end
  if (redis.call('HGET', KEYS[1], change.player) or '') ~= change.found then return 0 end
  table.insert(changes, change)
end
for _, change in ipairs(changes) do
  for _, queue in ipairs(change.leaves) do redis.call('ZREM', queue, change.player) end
  for _, place in ipairs(change.enters) do redis.call('ZADD', place[1], place[2], change.player) end
  if change.by == '' then
    redis.call('HDEL', KEYS[1], change.player)
  else
    redis.call('HSET', KEYS[1], change.player, change.by)
  end
end
if ARGV[1] ~= '' then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end
return 1
