#!lua flags=allow-oom
-- Ends what limit-take took: gives the slot back and corrects the minute.
-- KEYS  1 minute  2 leases
-- ARGV  1 request id  2 at (ms, as limit-take answered)  3 requests to add (0, or -1: it never was one)  4 tokens to add
-- Returns  {'given'}
redis.call('ZREM', KEYS[2], ARGV[1])
correct(KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]))
return { 'given' }
