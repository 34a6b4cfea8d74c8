-- Gives a name to a player unless it is somebody's.
-- KEYS: the name's entry of the directory. ARGV: 1 player
-- Answers whose it is from now on. It is written in either case, so that whoever waits for replicas waits until they have it.
local held = redis.call('GET', KEYS[1]) or ARGV[1]
redis.call('SET', KEYS[1], held)
return held
