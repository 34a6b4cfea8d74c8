-- Writes a player status if it is still at the expected revision, and informs every instance.
-- KEYS: statuses, their order, deletions of players under way. ARGV: 1 player, 2 expected revision (0 if there must be
--       none), 3 the stored status, 4 the first check of a deletion (ms) or '', 5 live channel
-- Answers the new revision, or 0 if nothing was written.
local held = redis.call('HGET', KEYS[1], ARGV[1])
local found = '0'
if held then
  found = string.match(held, '^%d+') or '0'
end
if found ~= ARGV[2] then
  return 0
end
local newest = redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')
local revision = tonumber(newest[2] or '0') + 1
local digits = string.format('%.0f', revision)
redis.call('HSET', KEYS[1], ARGV[1], digits .. ' ' .. ARGV[3])
redis.call('ZADD', KEYS[2], digits, ARGV[1])
if ARGV[4] ~= '' then
  redis.call('ZADD', KEYS[3], 'NX', ARGV[4], ARGV[1])
end
redis.call('PUBLISH', ARGV[5], ARGV[1] .. ':' .. digits)
return revision
