#!lua flags=allow-oom
-- Sets spent (wallet) or charged (token) to Postgres' value after posting dropped or corrected events of the account.
-- KEYS  1 fence:  2 w: or t:
-- ARGV  1 'spent' | 'charged'  2 value  3 posted n of the shard, read in the same transaction
--       then pairs: field and value of what a budget's window has spent (budgets.lua)
-- Returns  {'corrected'} | {'busy'} (it has unposted events) | {'absent'} | {'closed'}
if not epoch_of(KEYS[1]) then return { 'closed' } end
local last_n = redis.call('HGET', KEYS[2], 'last_n')
if not last_n then return { 'absent' } end
if tonumber(last_n) > tonumber(ARGV[3]) then return { 'busy' } end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
for i = 4, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
return { 'corrected' }
