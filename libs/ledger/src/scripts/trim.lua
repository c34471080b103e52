#!lua flags=allow-oom
-- Shortens a stream that grew long under load. Counts and trims in one step, so that unposted events always stay.
-- KEYS  1 fence:  2 use:
-- ARGV  1 posted n of the shard  2 events to keep
-- Returns  {'trimmed', count} | {'closed'}
if not epoch_of(KEYS[1]) then return { 'closed' } end
local unposted = tonumber(redis.call('HGET', KEYS[1], 'n') or '0') - tonumber(ARGV[1])
return { 'trimmed', redis.call('XTRIM', KEYS[2], 'MAXLEN', int(math.max(unposted, tonumber(ARGV[2])))) }
