-- Reads notices and the newest number at one moment.
-- KEYS: inbox. ARGV: 1 only above this number, 2 at most so many
-- Answers {newest number, member, number, member, number, …}.
local newest = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local answer = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. ARGV[1], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[2])
table.insert(answer, 1, newest[2] or '0')
return answer
