-- One step of a match, if the match is still where the step was computed from.
-- KEYS: match, log, outbox of its shard, due index of its shard, jobs of its shard, mark of its deletion, which share a
--       hash tag; where all keys live together, what is heard, inboxes, lists to be on, and lists to be off
-- ARGV: 1 expected version, 2 new version, 3 match, 4 log entry, 5 listing or '', 6 replay field or '',
--       7 what to remember there, 8 outbox task or '', 9 live channel, 10 live message and notice,
--       11 the stamp of the expected version with it (<version>.<stamp>) or '', 12 that of the new one or '',
--       13 the due index: '' leaves it, '-' takes the match off, else the moment, all without plans; 14 the match's id;
--       15 how many inboxes, 16 whose they are, 17 how many notices they keep, 18 the listing before, as far as it is
--       known, 19 how many lists to be on, 20 what an inbox is made as, 'list' or 'zset', 21 the bucket of the match in what
--       is heard; then that of each inbox, and each job
-- Answers 1 if it happened, 3 if it did and has left something in the outbox, 0 if not, 2 if not because its replay field
-- is there already. The first write fails before anything is written where writing is impossible (out of memory,
-- read-only), so that nothing happens by halves.
local found = redis.call('HMGET', KEYS[1], 'v', 's', ARGV[6], 'p')
if found[3] then
  return 2
end
if (found[1] or '0') ~= ARGV[1] then
  return 0
end
-- After a failover another step may have made this version: with another stamp, or with none (then an earlier version's
-- is left) by a release that knows none.
if ARGV[11] ~= '' and found[2] ~= ARGV[11] then
  return 0
end
if ARGV[1] == '0' and redis.call('EXISTS', KEYS[6]) == 1 then
  return 0
end
local task, before = ARGV[8], ''
local fields = {'v', ARGV[2], 'r', ARGV[3]}
if ARGV[5] ~= '' then
  -- The task carries the listing before, for the lists that the match has to be taken off.
  before = redis.call('HGET', KEYS[1], 'l') or ''
  task = task .. before
  fields[5], fields[6] = 'l', ARGV[5]
end
if ARGV[12] ~= '' then
  fields[#fields + 1] = 's'
  fields[#fields + 1] = ARGV[12]
end
if ARGV[6] ~= '' then
  fields[#fields + 1] = ARGV[6]
  fields[#fields + 1] = ARGV[7]
end
redis.call('HSET', KEYS[1], unpack(fields))
redis.call('RPUSH', KEYS[2], ARGV[4])
if found[4] then
  -- A seat has a plan: the match is looked at from now on. An entry that stands there already is moved by a millisecond:
  -- whoever has found it there and looks at the match as it was does not move this one on.
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local stood = redis.call('ZSCORE', KEYS[4], ARGV[14])
  if stood and tonumber(stood) == now then
    now = now + 1
  end
  redis.call('ZADD', KEYS[4], now, ARGV[14])
elseif ARGV[13] == '-' then
  redis.call('ZREM', KEYS[4], ARGV[14])
elseif ARGV[13] ~= '' then
  redis.call('ZADD', KEYS[4], ARGV[13], ARGV[14])
end
local inboxes = tonumber(ARGV[15])
for job = 22 + inboxes, #ARGV do
  redis.call('RPUSH', KEYS[5], ARGV[job])
end
-- What nobody wants to hear is not said.
local heard = nil
if #KEYS > 6 then
  heard = redis.call('HMGET', KEYS[7], unpack(ARGV, 21, 21 + inboxes))
  local now = nil
  for i = 1, 1 + inboxes do
    if heard[i] then
      now = now or tonumber(redis.call('TIME')[1])
      heard[i] = tonumber(heard[i]) >= now
    end
  end
end
if not heard or heard[1] then
  redis.call('PUBLISH', ARGV[9], ARGV[10])
end
if task == '' then
  return 1
end

-- What follows is left to the outbox where lists and inboxes live elsewhere, where the match was listed otherwise than is
-- known, and where something waits there that came before.
if #KEYS == 6 or (ARGV[5] ~= '' and before ~= ARGV[18]) then
  redis.call('RPUSH', KEYS[3], task)
  return 3
elseif redis.call('RPUSHX', KEYS[3], task) > 0 then
  return 3
end
-- Nothing may fail here, since the step has happened: what cannot be written is left to the outbox.
local whole = true
local function write(...)
  local answer = redis.pcall(...)
  whole = whole and type(answer) == 'number'
end
local last, kept = 7 + inboxes, tonumber(ARGV[17])
-- Both answer whether the inbox is of their kind and has the notice now.
local function push(inbox)
  local length = redis.pcall('RPUSHX', inbox, ARGV[10])
  if length == 0 and ARGV[20] == 'list' then
    length = redis.pcall('RPUSH', inbox, 0, ARGV[10])
  end
  if type(length) ~= 'number' or length == 0 then
    return false
  end
  -- Now and then, for several at once: in front stands how many were dropped.
  if length > kept + 64 then
    local dropped = tonumber(redis.pcall('LINDEX', inbox, 0))
    if dropped and not redis.pcall('LSET', inbox, 64, dropped + 64).err then
      redis.pcall('LTRIM', inbox, 64, -1)
    end
  end
  return true
end
local function add(inbox)
  local newest = redis.pcall('ZREVRANGE', inbox, 0, 0, 'WITHSCORES')
  if newest.err then
    return false
  end
  local number = tonumber(newest[2] or '0') + 1
  if type(redis.pcall('ZADD', inbox, 'NX', number, ARGV[10])) ~= 'number' then
    return false
  end
  -- Now and then, as above.
  if number > kept and number % 64 == 0 then
    write('ZREMRANGEBYRANK', inbox, 0, -(kept + 1))
  end
  return true
end
local first, second = push, add
if ARGV[20] == 'zset' then
  first, second = add, push
end
local told = false
for i = 8, last do
  told = told or heard[i - 6]
  whole = (first(KEYS[i]) or second(KEYS[i])) and whole
end
local on = last + tonumber(ARGV[19])
for i = last + 1, on do
  write('ZADD', KEYS[i], 0, ARGV[14])
end
for i = on + 1, #KEYS do
  write('ZREM', KEYS[i], ARGV[14])
end
if told then
  redis.call('PUBLISH', ARGV[9], ARGV[16])
end
if not whole then
  redis.call('RPUSH', KEYS[3], task)
  return 3
end
return 1
