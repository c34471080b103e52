-- Windows of requests; shared by reserve and settle, after common.lua.

-- Counts a request. What no longer counts is dropped by one id in about twenty (their ends are random): who asks whether there is
-- room counts what lies in the window, not what is kept. The key is kept for one to two windows: nothing in it is forgotten early.
local function count_in_window(key, window, now, at, id)
  redis.call('ZADD', key, at, id)
  if string.byte(id, -1) % 16 == 0 then redis.call('ZREMRANGEBYSCORE', key, '-inf', int(now - window)) end
  if redis.call('PTTL', key) < window then redis.call('PEXPIRE', key, int(2 * window)) end
end
