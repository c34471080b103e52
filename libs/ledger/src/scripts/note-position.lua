-- What Redis remembers of Postgres' log: how far it stood when something was told to Redis, and whether somebody has seen it behind.
-- KEYS  1 postgres:
-- ARGV  1 'raise' | 'flag' | 'accept'  2 store  3 position  4 '<store> <position>' that was remembered before it was read ('' none)
-- raise   notes a position, upwards only
-- noteUnconfirmed   marks what is remembered: the Postgres that was just read is not as far, or another one
-- accept  the recovery's, once everything was repaired by it: that Postgres is the measure from now on
-- Returns  'noted' | 'older' (marked, or of another store: nothing was noted) | 'changed' (somebody noted more meanwhile: look again)
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
