-- Waits of request windows. Part of reserve and window-peek, after common.lua.

-- Milliseconds until the window allows another request; 0: now.
local function window_wait(key, max, window, now)
  -- ZCARD needs no search and is never smaller than the number that counts.
  if max < 0 or redis.call('ZCARD', key) < max then return 0 end
  local first = '(' .. int(now - window)
  if redis.call('ZCOUNT', key, first, '+inf') < max then return 0 end
  local oldest = redis.call('ZRANGEBYSCORE', key, first, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  return math.max(1, (tonumber(oldest[2]) or now) + window - now)
end
