-- One step of a match, if the match is still where the step was computed from. Each key and each argument takes time, so
-- the script is told only of what is there.
-- KEYS: match, log, outbox of its shard, due index of its shard; where all keys live together, what is heard, inboxes,
--       lists to be on, and lists to be off; at creation, mark of the match's deletion. All but
--       what is heard, inboxes and lists share a hash tag.
-- ARGV: 1 expected version, 2 new version, 3 match, 4 log entry,
--       5 the stamp of the expected version, '' at creation, 6 that of the new one,
--       7 the due index: '' leaves it, '-' takes the match off, else the moment, all without plans; 8 the match's id,
--       9 live channel, 10 live message and notice, 11 outbox task or '', 12 how many inboxes, '' where they live elsewhere;
--       if here, 13 whose they are, 14 how many notices they keep, 15 the bucket of the match in what is heard, then that of
--       each inbox; then, in this order and each only where it is so,
--       'l', the listing, the listing before, as far as it is known, how many lists to be on, and how many to be off;
--       'k', the replay field, what to remember there
-- Answers 1 if it happened, 3 if it did and has left something in the outbox, 0 if not, 2 if not because its replay field
-- is there already. The first write fails before anything is written where writing is impossible (out of memory,
-- read-only), so that nothing happens by halves.
local here, inboxes, at = ARGV[12] ~= '', 0, 13
if here then
  inboxes = tonumber(ARGV[12])
  at = 16 + inboxes
end
local listing, known, on, off = nil, '', 0, 0
if ARGV[at] == 'l' then
  listing, known, on, off = ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  at = at + 5
end
local replay, remembered = nil, nil
if ARGV[at] == 'k' then
  replay, remembered = ARGV[at + 1], ARGV[at + 2]
end
-- The last key of what is heard, inboxes and lists.
local last = 4
if here then
  last = 5 + inboxes + on + off
end

local found = nil
if replay then
  found = redis.call('HMGET', KEYS[1], 'v', 's', 'p', replay)
  if found[4] then
    return 2
  end
else
  found = redis.call('HMGET', KEYS[1], 'v', 's', 'p')
end
-- After a failover another step may have made this version, with another stamp.
if (found[1] or '0') ~= ARGV[1] or (found[2] or '') ~= ARGV[5] then
  return 0
end
if ARGV[1] == '0' then
  if redis.call('EXISTS', KEYS[last + 1]) == 1 then
    return 0
  end
end
local task, before = ARGV[11], ''
local fields = {'v', ARGV[2], 'r', ARGV[3], 's', ARGV[6]}
if listing then
  -- The task carries the listing before, for the lists that the match has to be taken off.
  before = redis.call('HGET', KEYS[1], 'l') or ''
  task = task .. before
  fields[7], fields[8] = 'l', listing
end
if replay then
  fields[#fields + 1] = replay
  fields[#fields + 1] = remembered
end
redis.call('HSET', KEYS[1], unpack(fields))
redis.call('RPUSH', KEYS[2], ARGV[4])
if found[3] then
  -- A seat has a plan: the match is looked at from now on. An entry that stands there already is moved by a millisecond:
  -- whoever has found it there and looks at the match as it was does not move this one on.
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local stood = redis.call('ZSCORE', KEYS[4], ARGV[8])
  if stood and tonumber(stood) == now then
    now = now + 1
  end
  redis.call('ZADD', KEYS[4], now, ARGV[8])
elseif ARGV[7] == '-' then
  redis.call('ZREM', KEYS[4], ARGV[8])
elseif ARGV[7] ~= '' then
  redis.call('ZADD', KEYS[4], ARGV[7], ARGV[8])
end
-- What nobody wants to hear is not said.
local heard = nil
if here then
  heard = redis.call('HMGET', KEYS[5], unpack(ARGV, 15, 15 + inboxes))
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
if not here or (listing and before ~= known) then
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
local kept = tonumber(ARGV[14])
-- Answers whether the inbox has the notice now.
local function push(inbox)
  local length = redis.pcall('RPUSHX', inbox, ARGV[10])
  if length == 0 then
    length = redis.pcall('RPUSH', inbox, 0, ARGV[10])
  end
  if type(length) ~= 'number' then
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
local told = false
for i = 1, inboxes do
  local inbox = KEYS[5 + i]
  told = told or heard[1 + i]
  whole = push(inbox) and whole
end
local lists = 5 + inboxes
for i = lists + 1, lists + on do
  write('ZADD', KEYS[i], 0, ARGV[8])
end
for i = lists + on + 1, lists + on + off do
  write('ZREM', KEYS[i], ARGV[8])
end
if told then
  redis.call('PUBLISH', ARGV[9], ARGV[13])
end
if not whole then
  redis.call('RPUSH', KEYS[3], task)
  return 3
end
return 1
