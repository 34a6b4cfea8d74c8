-- Adds notices to an inbox: those it does not hold yet, numbered on without gaps.
-- KEYS: inbox. ARGV: 1 live channel, 2 live message, 3 how many to keep, 4… `<match>:<version>`
-- Answers how many were new.
local newest = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local before = tonumber(newest[2] or '0')
local number = before
for i = 4, #ARGV do
  if not redis.call('ZSCORE', KEYS[1], ARGV[i]) then
    number = number + 1
    redis.call('ZADD', KEYS[1], number, ARGV[i])
  end
end
if number > before then
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -(tonumber(ARGV[3]) + 1))
  redis.call('PUBLISH', ARGV[1], ARGV[2])
end
return number - before
