-- Answers the id, moment (ms) and body of each job of a kind that is due.
-- KEYS: bodies of the shard's jobs, jobs of the kind. ARGV: 1 the present moment (ms), 2 the maximum number, 3 the
--       beginning of the fields of their bodies
local found = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[2])
local jobs = {}
for i = 1, #found, 2 do
  local body = redis.call('HGET', KEYS[1], ARGV[3] .. found[i])
  if body then
    jobs[#jobs + 1] = {found[i], string.format('%.0f', found[i + 1]), body}
  end
end
return jobs
