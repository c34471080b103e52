-- Keeps records of one user's responses; removes the oldest when they take more than the user's share.
-- KEYS  1 order zset  2 sizes hash  then one key per record
-- ARGV  1 now (ms)  2 seconds to live  3 bytes a user may take  4 what every key of a record begins with  then name and value per record
-- Returns  how many records were removed
local now, ttl, max = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local OVERHEAD = 200
local total = tonumber(redis.call('HGET', KEYS[2], '') or '0')
local function forget(name)
  total = total - tonumber(redis.call('HGET', KEYS[2], name) or '0')
  redis.call('HDEL', KEYS[2], name)
end
for i = 3, #KEYS do
  local name, value = ARGV[2 * i - 1], ARGV[2 * i]
  forget(name)
  local size = #value + OVERHEAD
  redis.call('SET', KEYS[i], value, 'EX', ttl)
  redis.call('ZADD', KEYS[1], now, name)
  redis.call('HSET', KEYS[2], name, size)
  total = total + size
end
local removed = 0
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - ttl * 1000)) do
  redis.call('ZREM', KEYS[1], name)
  forget(name)
end
while total > max do
  local oldest = redis.call('ZPOPMIN', KEYS[1])
  if #oldest == 0 then break end
  redis.call('DEL', ARGV[4] .. oldest[1])
  forget(oldest[1])
  removed = removed + 1
end
redis.call('HSET', KEYS[2], '', total)
redis.call('EXPIRE', KEYS[1], ttl)
redis.call('EXPIRE', KEYS[2], ttl)
return removed
