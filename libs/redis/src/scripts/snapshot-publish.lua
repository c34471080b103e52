-- Writes the changes of one version. Versions arrive from several processes in any order; only the next one is accepted, so that a
-- reader that has version v has every change up to v.
-- KEYS  1 head  then pairs: hash, changes zset (one pair per kind)
-- ARGV  1 version  2 format  3 pub/sub channel of versions  then triples: index of the pair (1, 2, …), field, JSON ('' removes the field)
-- Returns  'published' | 'older' (this version or a greater one is stored) | 'gap' (publish the whole snapshot instead)
local version = tonumber(ARGV[1])
local head = redis.call('HMGET', KEYS[1], 'version', 'format')
local current = tonumber(head[1] or '-1')
if version <= current then return 'older' end
if version ~= current + 1 or head[2] ~= ARGV[2] then return 'gap' end
for i = 4, #ARGV, 3 do
  local hash, changes = KEYS[2 * tonumber(ARGV[i])], KEYS[2 * tonumber(ARGV[i]) + 1]
  if ARGV[i + 2] == '' then redis.call('HDEL', hash, ARGV[i + 1]) else redis.call('HSET', hash, ARGV[i + 1], ARGV[i + 2]) end
  redis.call('ZADD', changes, ARGV[1], ARGV[i + 1])
end
redis.call('HSET', KEYS[1], 'version', ARGV[1])
-- A user without the permission to publish makes readers poll.
redis.pcall('PUBLISH', ARGV[3], ARGV[1])
return 'published'
