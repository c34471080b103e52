-- Reads records of one user's responses and renews the lifetime of those that exist.
-- KEYS  1 order zset  2 sizes hash  then one key per record
-- ARGV  1 now (ms)  2 seconds to live  3 bytes that may be read  then the name of each record
-- Returns  the values, false for a missing one | 0 when they are larger than may be read
local size = 0
for i = 3, #KEYS do size = size + tonumber(redis.call('HGET', KEYS[2], ARGV[i + 1]) or '0') end
if size > tonumber(ARGV[3]) then return 0 end
local values = {}
for i = 3, #KEYS do
  local value = redis.call('GET', KEYS[i])
  if value then
    redis.call('EXPIRE', KEYS[i], ARGV[2])
    redis.call('ZADD', KEYS[1], ARGV[1], ARGV[i + 1])
  end
  values[i - 2] = value
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('EXPIRE', KEYS[2], ARGV[2])
return values
