#!lua flags=allow-oom
-- Sets spent (wallet) or charged (token) to what Postgres says after it dropped or corrected events of that account.
-- KEYS  1 g:  2 w: or t:
-- ARGV  1 'spent' | 'charged'  2 value  3 posted n of the shard, read in the same transaction
-- Returns  {'corrected'} | {'busy'} (it has events that are not posted) | {'absent'} | {'closed'}
if not epoch_of(KEYS[1]) then return { 'closed' } end
local last_n = redis.call('HGET', KEYS[2], 'last_n')
if not last_n then return { 'absent' } end
if tonumber(last_n) > tonumber(ARGV[3]) then return { 'busy' } end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return { 'corrected' }
