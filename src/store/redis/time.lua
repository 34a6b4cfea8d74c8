-- Returns the time of the server that has this slot.
-- KEYS: any key of the slot. Answers {seconds, microseconds}
return redis.call('TIME')
