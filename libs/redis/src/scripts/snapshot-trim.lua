-- Removes old changes; a reader behind `floor` reads the whole snapshot again.
-- KEYS  1 head  then changes zsets
-- ARGV  1 number of changes to keep per kind
-- Returns  the floor
local floor = tonumber(redis.call('HGET', KEYS[1], 'floor') or '0')
for i = 2, #KEYS do
  local excess = redis.call('ZCARD', KEYS[i]) - tonumber(ARGV[1])
  if excess > 0 then
    local last = redis.call('ZRANGE', KEYS[i], excess - 1, excess - 1, 'WITHSCORES')
    floor = math.max(floor, tonumber(last[2]))
    redis.call('ZREMRANGEBYRANK', KEYS[i], 0, excess - 1)
  end
end
redis.call('HSET', KEYS[1], 'floor', floor)
return floor
