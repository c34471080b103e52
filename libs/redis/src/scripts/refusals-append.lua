-- Appends one batch of refused requests once, while the stream has room.
-- KEYS  1 stream  2 string: number of the relay's last batch
-- ARGV  1 number of this batch  2 batch  3 maximum length of the stream
-- Returns  1 appended, now or earlier | 0 the stream is full
if tonumber(ARGV[1]) <= tonumber(redis.call('GET', KEYS[2]) or '0') then return 1 end
if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('XADD', KEYS[1], '*', 'batch', ARGV[2])
redis.call('SET', KEYS[2], ARGV[1], 'EX', 86400)
return 1
