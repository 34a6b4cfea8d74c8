-- Puts a match on the lists of one owner that fit it, and takes it off the others.
-- KEYS: pairs (of any game, of its game), first for any stage, then for each stage.
-- ARGV: 1 match, 2 the pair of its stage (2 is the first stage), or 0 if it belongs on none
local wanted = tonumber(ARGV[2])
for i = 1, #KEYS do
  local pair = math.ceil(i / 2)
  if wanted > 0 and (pair == 1 or pair == wanted) then
    redis.call('ZADD', KEYS[i], 0, ARGV[1])
  else
    redis.call('ZREM', KEYS[i], ARGV[1])
  end
end
return 1
