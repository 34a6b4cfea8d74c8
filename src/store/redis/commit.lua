-- Commits one step of a match, if the match is still at the version that the step was computed from. Each key and each
-- argument costs time, so only those in use are passed.
-- KEYS: match, log, outbox of its shard, due index of its shard; where all keys live together, subscriptions, inboxes,
--       lists to be on, and lists to be off; at creation, tombstone of the match; with jobs, bodies of the shard's
--       jobs, and the index of each job. All but subscriptions, inboxes and lists share a hash tag.
-- ARGV: 1 expected version, 2 new version, 3 match, 4 log entry, 5 the stamp of the expected version, '' at creation, 6
--       that of the new one, 7 the due index, used only without plans: '' leaves it, '-' removes the match, else the moment;
--       8 the match's id, 9 live channel, 10 live message and notice, 11 outbox task or '', 12 number of inboxes, ''
--       where they live elsewhere; if here, 13 their players, 14 number of notices to keep, 15 the bucket of the match
--       in the subscriptions, then that of each inbox; then, in this order and each only if needed, 'l', the listing,
--       the known listing before, number of lists to be on, and number of lists to be off; 'k', the replay field, its
--       value; 'j', number of jobs, then id, field of the body, moment and body of each
-- Answers 1 if it happened, 3 if it happened and left a task in the outbox, 0 if not, 2 if not because its replay field
-- exists already. The first write fails before any other where writing is impossible (out of memory, read-only), so
-- that nothing happens by halves.
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
  at = at + 3
end
-- The last key of subscriptions, inboxes and lists.
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
  -- The task carries the earlier listing, for the lists that the match is removed from.
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
  -- A seat has a plan: the match is due now. An entry at this very moment is moved on by a millisecond: an instance that
  -- found the old entry and works on the older match does not move the new one.
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
if ARGV[at] == 'j' then
  local bodies = last + 1
  if ARGV[1] == '0' then
    bodies = last + 2
  end
  for i = 1, tonumber(ARGV[at + 1]) do
    local job = at + 4 * i - 2
    if redis.call('HSETNX', KEYS[bodies], ARGV[job + 1], ARGV[job + 3]) == 1 then
      redis.call('ZADD', KEYS[bodies + i], ARGV[job + 2], ARGV[job])
    end
  end
end
-- Publishes only to subscribers.
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

-- The effects are left to the outbox where lists and inboxes live elsewhere, where the earlier listing is not the known
-- one, and where earlier tasks wait there.
if not here or (listing and before ~= known) then
  redis.call('RPUSH', KEYS[3], task)
  return 3
elseif redis.call('RPUSHX', KEYS[3], task) > 0 then
  return 3
end
-- Nothing may fail here, since the step has happened: failed writes are left to the outbox.
local whole = true
local function write(...)
  local answer = redis.pcall(...)
  whole = whole and type(answer) == 'number'
end
local kept = tonumber(ARGV[14])
-- Returns true if the inbox has the notice now.
local function push(inbox)
  local length = redis.pcall('RPUSHX', inbox, ARGV[10])
  if length == 0 then
    length = redis.pcall('RPUSH', inbox, 0, ARGV[10])
  end
  if type(length) ~= 'number' then
    return false
  end
  -- Drops several notices at a time; the list begins with the number of dropped ones.
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
