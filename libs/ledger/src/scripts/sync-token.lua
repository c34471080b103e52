#!lua flags=allow-oom
-- Sets a token to Postgres' state if its version is greater.
-- KEYS  1 fence:  2 t:
-- ARGV  1 granted  2 limited (1 or 0)  3 version  4 auth  then pairs: field and value of a budget's base (budgets.lua)
-- Returns  {'synced'} | {'current'} | {'cold'} | {'closed'}: as in sync-wallet.lua
if not epoch_of(KEYS[1]) then return { 'closed' } end
local version = redis.call('HGET', KEYS[2], 'version')
if not version then return { 'cold' } end
if tonumber(ARGV[3]) <= tonumber(version) then return { 'current' } end
redis.call('HSET', KEYS[2], 'granted', ARGV[1], 'limited', ARGV[2], 'version', ARGV[3], 'auth', ARGV[4],
  'used', int(now_ms()))
for i = 5, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1]) end
return { 'synced' }
