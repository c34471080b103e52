-- Replaces one kind: writes fields that differ, removes fields that are gone, records both as changes of the version. The last call
-- writes the head, so that readers see the version only when every kind has it.
-- KEYS  1 head  2 hash  3 changes zset
-- ARGV  1 version  2 format  3 pub/sub channel of versions; '': this is not the last kind  then pairs: field, JSON
-- Returns  number of changed fields, or -1 when a greater version is stored
local version = tonumber(ARGV[1])
if version < tonumber(redis.call('HGET', KEYS[1], 'version') or '-1') then return -1 end
local wanted, changed = {}, 0
for i = 4, #ARGV, 2 do
  wanted[ARGV[i]] = true
  if redis.call('HGET', KEYS[2], ARGV[i]) ~= ARGV[i + 1] then
    redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
    redis.call('ZADD', KEYS[3], ARGV[1], ARGV[i])
    changed = changed + 1
  end
end
for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
  if not wanted[field] then
    redis.call('HDEL', KEYS[2], field)
    redis.call('ZADD', KEYS[3], ARGV[1], field)
    changed = changed + 1
  end
end
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[1], 'version', ARGV[1], 'format', ARGV[2])
  redis.pcall('PUBLISH', ARGV[3], ARGV[1])
end
return changed
