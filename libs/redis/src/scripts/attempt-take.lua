-- Counts one attempt at a secret, unless the last one demands a longer wait. Counting before the check keeps parallel attempts in line.
-- KEYS  1 hash count, next (ms of Redis TIME)
-- ARGV  1 free attempts  2 first wait ms, doubled with each attempt  3 longest wait ms  4 lifetime ms after the last attempt
-- Returns  {1, attempts so far} | {0, ms to wait}
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local free, first, longest = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local next = tonumber(redis.call('HGET', KEYS[1], 'next') or 0)
if next > now then return { 0, next - now } end
local count = redis.call('HINCRBY', KEYS[1], 'count', 1)
local wait = 0
if count >= free then wait = math.min(longest, first * 2 ^ math.min(count - free, 30)) end
redis.call('HSET', KEYS[1], 'next', string.format('%.0f', now + wait))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return { 1, count }
