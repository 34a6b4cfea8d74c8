-- Binds a name to a player unless another player holds it.
-- KEYS: the name's entry of the directory. ARGV: 1 player
-- Answers the player who holds it from now on. It writes in either case, so that a wait for replicas covers the answer.
local held = redis.call('GET', KEYS[1]) or ARGV[1]
redis.call('SET', KEYS[1], held)
return held
