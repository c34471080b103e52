#!lua
-- Loads a token from one read of Postgres.
-- KEYS  1 fence:  2 t:  3 hold:  4 hot:
-- ARGV  1 token  2 granted  3 charged  4 limited (1 or 0)  5 version  6 auth  7 Redis TIME (ms) taken before the read
--       8 posted n of the shard, from the same read
-- Returns  {'made'} | {'loaded'} | {'old'} | {'closed'}: as in load-wallet.lua
if not epoch_of(KEYS[1]) then return { 'closed' } end
if tonumber(ARGV[7]) < tonumber(redis.call('HGET', KEYS[1], 'opened') or '0') then return { 'old' } end
if redis.call('EXISTS', KEYS[2]) == 1 then return { 'loaded' } end
if tonumber(ARGV[8]) < tonumber(redis.call('HGET', KEYS[1], 'posted') or '0') then return { 'old' } end
local now = now_ms()
if now - tonumber(ARGV[7]) > 5000 then return { 'old' } end
local held = 0
for _, id in ipairs(redis.call('HKEYS', KEYS[3])) do
  local hold = hold_of(KEYS[3], id)
  if hold.kind == 'open' and hold.token == ARGV[1] then held = held + hold.token_held end
end
redis.call('HSET', KEYS[2], 'granted', ARGV[2], 'charged', ARGV[3], 'held', int(held), 'limited', ARGV[4], 'version', ARGV[5],
  'auth', ARGV[6], 'last_n', 0, 'used', int(now))
redis.call('ZADD', KEYS[4], int(now), 't' .. ARGV[1])
return { 'made' }
