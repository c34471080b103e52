-- Removes records of one user's responses.
-- KEYS  1 order zset  2 sizes hash  then one key per record
-- ARGV  the name of each record
-- Returns  how many existed
local total = tonumber(redis.call('HGET', KEYS[2], '') or '0')
local removed = 0
for i = 3, #KEYS do
  local name = ARGV[i - 2]
  removed = removed + redis.call('DEL', KEYS[i])
  total = total - tonumber(redis.call('HGET', KEYS[2], name) or '0')
  redis.call('ZREM', KEYS[1], name)
  redis.call('HDEL', KEYS[2], name)
end
if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('HSET', KEYS[2], '', total) end
return removed
