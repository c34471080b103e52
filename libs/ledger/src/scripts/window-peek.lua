#!lua flags=no-writes
-- Reads a request window without taking a place in it.
-- KEYS  1 window
-- ARGV  1 max  2 window ms
-- Returns  {requests in the window, ms until it allows another one (0: now)}
local now, window = now_ms(), tonumber(ARGV[2])
local used = redis.call('ZCOUNT', KEYS[1], '(' .. int(now - window), '+inf')
return { used, window_wait(KEYS[1], tonumber(ARGV[1]), window, now) }
