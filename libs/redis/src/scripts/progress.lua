#!lua flags=allow-oom
-- Notes how far open requests have come.
-- KEYS  1 g:  2 hold:  3 prog:
-- ARGV  1 owner  then pairs: request id, progress JSON
-- Returns  {'noted', epoch, how many were written} | {'closed'}
local epoch = epoch_of(KEYS[1])
if not epoch then return { 'closed' } end
local written = 0
for i = 2, #ARGV, 2 do
  local hold = hold_of(KEYS[2], ARGV[i])
  if hold and hold.kind == 'open' and hold.owner == ARGV[1] then
    redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1])
    written = written + 1
  end
end
return { 'noted', epoch, written }
