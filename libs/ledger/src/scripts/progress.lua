#!lua flags=allow-oom
-- Stores the progress of open requests. Works while the fence is closed: a relay may die during a long repair.
-- KEYS  1 hold:  2 prog:
-- ARGV  1 relay_id  then pairs: request id, progress JSON
-- Returns  {'noted', number written}
local written = 0
for i = 2, #ARGV, 2 do
  local hold = hold_of(KEYS[1], ARGV[i])
  if hold and hold.kind == 'open' and hold.relay_id == ARGV[1] then
    redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
    written = written + 1
  end
end
return { 'noted', written }
