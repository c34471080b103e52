-- Stores the highest position of Postgres' log whose data reached Redis, and whether a Postgres behind it was seen.
-- KEYS  1 postgres:
-- ARGV  1 'raise' | 'flag' | 'accept'  2 store  3 position  4 '<store> <position>' stored before Postgres was read ('': none)
-- raise   stores a greater position
-- flag    marks the stored position as older: the Postgres just read is behind it, or another store
-- accept  replaces the position after recovery has repaired every shard from this Postgres
-- Returns  'noted' | 'older' (flagged, or another store: nothing was stored) | 'changed' (the stored position changed meanwhile)
local known = redis.call('GET', KEYS[1])
local text = ARGV[2] .. ' ' .. ARGV[3]
if not known then
  redis.call('SET', KEYS[1], text)
  return 'noted'
end
local store, at, mark = string.match(known, '^(%S+) (%d+)(.*)$')
if ARGV[1] == 'raise' then
  if mark ~= '' or store ~= ARGV[2] then return 'older' end
  if tonumber(ARGV[3]) > tonumber(at) then redis.call('SET', KEYS[1], text) end
  return 'noted'
end
if store .. ' ' .. at ~= ARGV[4] then return 'changed' end
redis.call('SET', KEYS[1], ARGV[1] == 'accept' and text or ARGV[4] .. ' older')
return 'noted'
