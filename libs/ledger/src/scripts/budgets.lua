-- Counters of budgets when an account is loaded. Part of load-wallet and load-token, after common.lua.
--
-- A budget counts in windows. The counters of a window are fields of the account that the budget belongs to, so they are hot and cold
-- with it:  bs<id>:<start> spent · bh<id>:<start> held · bb<id>:<start> base, which only Postgres changes (spent before the budget was
-- set, less what failed tasks gave back).

-- Adds what an open hold holds under the budgets of an account ('w' or 't'), by field.
local function add_budgets_held(fields, hold, letter)
  if not hold.budgets then return end
  for account, window, held in string.gmatch(hold.budgets, '(%a)(%d+:%d+):%d+:(%d+)') do
    if account == letter then
      local field = 'bh' .. window
      fields[field] = (fields[field] or 0) + tonumber(held)
    end
  end
end

-- Writes the counters: pairs of field and value from ARGV, and what is held.
local function write_budgets(key, first, held)
  for i = first, #ARGV, 2 do redis.call('HSET', key, ARGV[i], ARGV[i + 1]) end
  for field, amount in pairs(held) do redis.call('HSET', key, field, int(amount)) end
end
