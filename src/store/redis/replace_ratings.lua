-- Puts ratings and board that were computed again in the place of the present ones, if the log has the expected length.
-- KEYS: log, ratings, board, new ratings, new board. ARGV: 1 expected length
-- Answers 1 if it had, else 0. Where there are no new ones, there are none then.
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) then
  redis.call('UNLINK', KEYS[4], KEYS[5])
  return 0
end
redis.call('UNLINK', KEYS[2], KEYS[3])
for at = 2, 3 do
  if redis.call('EXISTS', KEYS[at + 2]) == 1 then
    redis.call('RENAME', KEYS[at + 2], KEYS[at])
    redis.call('PERSIST', KEYS[at])
  end
end
return 1
