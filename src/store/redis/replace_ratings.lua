-- Puts another generation of ratings and board in the place of the present one, if the log has the expected length and
-- the new one the expected number of ratings.
-- KEYS: log, ratings, board, new ratings, new board. ARGV: 1 expected length, 2 expected number of new ratings
-- Answers 1 if so, else 0, and the new ones stay. Where there are no new ones, there are none then.
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[1]) or redis.call('HLEN', KEYS[4]) ~= tonumber(ARGV[2]) then
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
