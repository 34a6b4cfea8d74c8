-- Deletes a key if it has this value: a claim on a match, a name of the directory.
-- KEYS: the key. ARGV: 1 the value
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0
