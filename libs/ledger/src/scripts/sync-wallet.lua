#!lua flags=allow-oom
-- Sets a wallet to Postgres' state if its version is greater. Values are absolute, so repetition and order do not matter.
-- Counts as a use: an account that was just synced is not evicted, so no load can restore older values.
-- KEYS  1 fence:  2 w:
-- ARGV  1 credited  2 version  3 auth  then pairs: field and value of a budget's base (budgets.lua)
-- Returns  {'synced'} | {'current'} (this version or a greater one is stored) | {'cold'} (load it first) | {'closed'}
if not epoch_of(KEYS[1]) then return { 'closed' } end
local version = redis.call('HGET', KEYS[2], 'version')
if not version then return { 'cold' } end
if tonumber(ARGV[2]) <= tonumber(version) then return { 'current' } end
redis.call('HSET', KEYS[2], 'credited', ARGV[1], 'version', ARGV[2], 'auth', ARGV[3], 'used', int(now_ms()))
for i = 4, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
return { 'synced' }
