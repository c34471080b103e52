#!lua
-- Loads a wallet from one read of Postgres. Only the load scripts create w: and t:.
-- KEYS  1 fence:  2 w:  3 hold:  4 hot:
-- ARGV  1 user  2 credited  3 spent  4 version  5 auth  6 Redis TIME (ms) taken before the read
--       7 posted n of the shard, from the same read  then pairs: field and value of a budget's counter (budgets.lua)
-- Returns  {'made'} | {'loaded'} (exists already: nothing was written) | {'old'} (the read is older than 5 s or than the opening of
--          the fence, or comes from a Postgres that has posted less than before: it came back older and was not checked yet) |
--          {'closed'}
if not epoch_of(KEYS[1]) then return { 'closed' } end
if tonumber(ARGV[6]) < tonumber(redis.call('HGET', KEYS[1], 'opened') or '0') then return { 'old' } end
if redis.call('EXISTS', KEYS[2]) == 1 then return { 'loaded' } end
if tonumber(ARGV[7]) < tonumber(redis.call('HGET', KEYS[1], 'posted') or '0') then return { 'old' } end
local now = now_ms()
if now - tonumber(ARGV[6]) > 5000 then return { 'old' } end
local held, budgets_held = 0, {}
for _, text in ipairs(redis.call('HVALS', KEYS[3])) do
  local hold = hold_in(text)
  if hold.kind == 'open' and hold.user == ARGV[1] then
    held = held + hold.wallet_held
    add_budgets_held(budgets_held, hold, 'w')
  end
end
redis.call('HSET', KEYS[2], 'credited', ARGV[2], 'spent', ARGV[3], 'held', int(held), 'version', ARGV[4], 'auth', ARGV[5],
  'last_n', 0, 'used', int(now))
write_budgets(KEYS[2], 8, budgets_held)
redis.call('ZADD', KEYS[4], int(now), 'w' .. ARGV[1])
return { 'made' }
