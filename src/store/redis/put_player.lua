-- Writes a player if it is still at the expected revision.
-- KEYS: player. ARGV: 1 expected revision (0 for a new player), 2 new revision, 3 the stored player
-- Answers 1 if written, 0 if not.
if (redis.call('HGET', KEYS[1], 'n') or '0') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'n', ARGV[2], 'r', ARGV[3])
return 1
