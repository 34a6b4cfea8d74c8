-- Writes a checkpoint, in place of one at the same version, if there is such a match.
-- KEYS: match, its checkpoints. Both share a hash tag.
-- ARGV: 1 version, 2 stamp and state, 3 seconds for which all of them are kept
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], ARGV[1], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1
