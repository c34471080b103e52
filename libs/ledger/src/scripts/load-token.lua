#!lua
-- Loads a token from one read of Postgres.
-- KEYS  1 fence:  2 t:  3 hold:  4 hot:
-- ARGV  1 token  2 granted  3 charged  4 limited (1 or 0)  5 version  6 auth  7 Redis TIME (ms) taken before the read
--       8 posted n of the shard, from the same read  then pairs: field and value of a budget's counter (budgets.lua)
-- Returns  {'made'} | {'loaded'} | {'old'} | {'closed'}: as in load-wallet.lua
if not epoch_of(KEYS[1]) then return { 'closed' } end
if tonumber(ARGV[7]) < tonumber(redis.call('HGET', KEYS[1], 'opened') or '0') then return { 'old' } end
if redis.call('EXISTS', KEYS[2]) == 1 then return { 'loaded' } end
if tonumber(ARGV[8]) < tonumber(redis.call('HGET', KEYS[1], 'posted') or '0') then return { 'old' } end
local now = now_ms()
if now - tonumber(ARGV[7]) > 5000 then return { 'old' } end
local held, budgets_held = 0, {}
for _, text in ipairs(redis.call('HVALS', KEYS[3])) do
  local hold = hold_in(text)
  if hold.kind == 'open' and hold.token == ARGV[1] then
    held = held + hold.token_held
    add_budgets_held(budgets_held, hold, 't')
  end
end
redis.call('HSET', KEYS[2], 'granted', ARGV[2], 'charged', ARGV[3], 'held', int(held), 'limited', ARGV[4], 'version', ARGV[5],
  'auth', ARGV[6], 'last_n', 0, 'used', int(now))
write_budgets(KEYS[2], 9, budgets_held)
redis.call('ZADD', KEYS[4], int(now), 't' .. ARGV[1])
return { 'made' }
