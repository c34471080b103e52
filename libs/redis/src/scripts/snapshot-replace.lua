-- Brings one kind to a whole state: writes what differs, removes what is not there any more, notes both as changes of the version.
-- The head is written by the caller's last call, so that readers see the version when every kind has it.
-- KEYS  1 head  2 hash  3 changes zset
-- ARGV  1 version  2 format  3 '1': this is the last kind  then pairs: field, JSON
-- Returns  how many fields changed, or -1 when a greater version is there
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
if ARGV[3] == '1' then redis.call('HSET', KEYS[1], 'version', ARGV[1], 'format', ARGV[2]) end
return changed
