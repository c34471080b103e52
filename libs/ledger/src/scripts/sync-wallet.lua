#!lua flags=allow-oom
-- Sets what Postgres says where its version is greater. Nothing is added, so any repetition and order is harmless.
-- It counts as a use: an account that was synced just now is not evicted, so no load may bring older numbers back.
-- KEYS  1 g:  2 w:
-- ARGV  1 credited  2 version  3 auth
-- Returns  {'synced'} | {'current'} (has this version or a greater one) | {'cold'} (load it first) | {'closed'}
if not epoch_of(KEYS[1]) then return { 'closed' } end
local version = redis.call('HGET', KEYS[2], 'version')
if not version then return { 'cold' } end
if tonumber(ARGV[2]) <= tonumber(version) then return { 'current' } end
redis.call('HSET', KEYS[2], 'credited', ARGV[1], 'version', ARGV[2], 'auth', ARGV[3], 'used', int(now_ms()))
return { 'synced' }
