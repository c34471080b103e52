#!lua flags=allow-oom
-- Releases a lease of limit-take: frees the slot and corrects the minute.
-- KEYS  1 minute  2 leases
-- ARGV  1 request id  2 at (ms, from the answer of limit-take)  3 requests to add (0, or -1 to cancel)  4 tokens to add
-- Returns  {'released'}
redis.call('ZREM', KEYS[2], ARGV[1])
correct(KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]))
return { 'released' }
