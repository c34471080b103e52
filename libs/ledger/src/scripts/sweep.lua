#!lua flags=allow-oom
-- Removes old tombstones.
-- KEYS  1 fence:  2 hold:  3 tomb:
-- ARGV  1 age in ms  2 limit
-- Returns  {'swept', count} | {'closed'}
if not epoch_of(KEYS[1]) then return { 'closed' } end
local old = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', int(now_ms() - tonumber(ARGV[1])), 'LIMIT', 0, tonumber(ARGV[2]))
for _, id in ipairs(old) do
  redis.call('HDEL', KEYS[2], id)
  redis.call('ZREM', KEYS[3], id)
end
return { 'swept', #old }
