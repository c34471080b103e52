#!lua flags=allow-oom
-- Removes an idle wallet or token whose events are all posted. No other script removes them. Stores the posted n it relied on, so
-- that the account cannot be loaded from a Postgres that has posted less.
-- KEYS  1 fence:  2 w: or t:  3 hot:
-- ARGV  1 posted n of the shard  2 idle for at least (ms)  3 member of hot:
-- Returns  {'evicted'} | {'busy'} (held, unposted or recently used: tried again later) | {'absent'} | {'closed'}
if not epoch_of(KEYS[1]) then return { 'closed' } end
local found = redis.call('HMGET', KEYS[2], 'held', 'last_n', 'used')
if not found[1] then
  redis.call('ZREM', KEYS[3], ARGV[3])
  return { 'absent' }
end
local now, used, limit = now_ms(), tonumber(found[3]), tonumber(ARGV[2])
if now - used < limit then
  redis.call('ZADD', KEYS[3], int(used), ARGV[3])
  return { 'busy' }
end
if tonumber(found[1]) ~= 0 or tonumber(found[2]) > tonumber(ARGV[1]) then
  -- Skip it for a minute, so that accounts that cannot be evicted do not fill every batch.
  redis.call('ZADD', KEYS[3], int(now - limit + 60000), ARGV[3])
  return { 'busy' }
end
if tonumber(ARGV[1]) > tonumber(redis.call('HGET', KEYS[1], 'posted') or '0') then redis.call('HSET', KEYS[1], 'posted', ARGV[1]) end
redis.call('DEL', KEYS[2])
redis.call('ZREM', KEYS[3], ARGV[3])
return { 'evicted' }
