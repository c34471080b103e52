#!lua
-- The keeper's: opens a shard it has checked. The epoch is Redis TIME, so that it rises even over an emptied Redis.
-- KEYS  1 g:
-- ARGV  none
-- Returns  {'opened', epoch}
local old = tonumber(redis.call('HGET', KEYS[1], 'epoch') or '0')
local epoch = math.max(old + 1, now_ms())
redis.call('HSET', KEYS[1], 'epoch', int(epoch))
redis.call('HDEL', KEYS[1], 'closed')
redis.call('HSETNX', KEYS[1], 'n', 0)
return { 'opened', epoch }
