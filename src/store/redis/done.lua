-- Removes finished tasks from outboxes: the first ones, if they are still the first. Where another instance was quicker
-- with some of them, the rest is done once more.
-- KEYS: outboxes. ARGV, for each: the number of finished tasks, and the first of them
for i = 1, #KEYS do
  if redis.call('LINDEX', KEYS[i], 0) == ARGV[2 * i] then
    redis.call('LTRIM', KEYS[i], ARGV[2 * i - 1], -1)
  end
end
return 1
