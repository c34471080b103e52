#!lua flags=allow-oom
-- Removes an idle wallet or token whose every event is posted. The only script that removes them.
-- KEYS  1 g:  2 w: or t:
-- ARGV  1 posted n of the shard  2 idle for at least (ms)
-- Returns  {'evicted'} | {'busy'} (held, unposted or used lately) | {'absent'} | {'closed'}
if not epoch_of(KEYS[1]) then return { 'closed' } end
local found = redis.call('HMGET', KEYS[2], 'held', 'last_n', 'used')
if not found[1] then return { 'absent' } end
local idle = now_ms() - tonumber(found[3])
if tonumber(found[1]) ~= 0 or tonumber(found[2]) > tonumber(ARGV[1]) or idle < tonumber(ARGV[2]) then return { 'busy' } end
redis.call('DEL', KEYS[2])
return { 'evicted' }
