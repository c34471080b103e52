#!lua flags=allow-oom
-- Sets spent (wallet) or charged (token) to Postgres' value and the charges of the events after it, when posting dropped or corrected
-- events of the account.
-- KEYS  1 fence:  2 w: or t:  3 use:
-- ARGV  1 'spent' | 'charged'  2 value  3 posted n of the shard and 4 its stream id, read in the same transaction  5 user or token
--       then pairs: field and value of what a budget's window has spent (budgets.lua)
-- Returns  {'corrected'} | {'busy'} (too many events after it, or one is missing) | {'absent'} | {'closed'}
if not epoch_of(KEYS[1]) then return { 'closed' } end
local last_n = redis.call('HGET', KEYS[2], 'last_n')
if not last_n then return { 'absent' } end

local MAX_EVENTS = 1000
local posted_n, sum, windows = tonumber(ARGV[3]), tonumber(ARGV[2]), {}
if tonumber(last_n) > posted_n then
  local events = redis.call('XRANGE', KEYS[3], '(' .. ARGV[4], '+', 'COUNT', MAX_EVENTS + 1)
  if #events > MAX_EVENTS or #events ~= tonumber(redis.call('HGET', KEYS[1], 'n')) - posted_n then return { 'busy' } end
  local is_wallet = ARGV[1] == 'spent'
  local letter = is_wallet and 'w' or 't'
  for _, entry in ipairs(events) do
    local field = {}
    for i = 1, #entry[2], 2 do field[entry[2][i]] = entry[2][i + 1] end
    if field[is_wallet and 'user' or 'token'] == ARGV[5] then
      sum = sum + tonumber(field[is_wallet and 'charge' or 'token_charge'])
      for account, window in string.gmatch(field.budgets or '', '(%a)(%d+:%d+):%d+') do
        if account == letter then windows['bs' .. window] = (windows['bs' .. window] or 0) + tonumber(field.charge) end
      end
    end
  end
end
redis.call('HSET', KEYS[2], ARGV[1], int(sum))
for i = 6, #ARGV, 2 do redis.call('HSET', KEYS[2], ARGV[i], int(tonumber(ARGV[i + 1]) + (windows[ARGV[i]] or 0))) end
return { 'corrected' }
