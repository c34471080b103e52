-- Request windows. Part of reserve and settle, after common.lua.

-- Counts a request. Only about one request in twenty removes old members (ids end randomly), so readers must count the members inside
-- the window. The key lives for one to two windows, so no member expires early.
local function count_in_window(key, window, now, at, id)
  redis.call('ZADD', key, at, id)
  if string.byte(id, -1) % 16 == 0 then redis.call('ZREMRANGEBYSCORE', key, '-inf', int(now - window)) end
  if redis.call('PTTL', key) < window then redis.call('PEXPIRE', key, int(2 * window)) end
end
