-- Ends a hold. Part of settle and reap, after common.lua.
local fence, wallet, token_key, holds, times, pending_events, progress, tombs, usage

-- Names the first nine keys of a request, in the order of settle and reap.
local function name_keys(all)
  fence, wallet, token_key, holds, times, pending_events, progress, tombs, usage = unpack(all, 1, 9)
end

-- `at` is text.
local function write_tombstone(kind, id, user, token, token_held, charge, at)
  redis.call('HSET', holds, id, table.concat({ kind, user, token, int(token_held), int(charge), at }, '|'))
  redis.call('ZADD', tombs, at, id)
end

local function forget_open(id)
  redis.call('HDEL', holds, id)
  redis.call('ZREM', times, id)
  redis.call('HDEL', pending_events, id)
  redis.call('HDEL', progress, id)
end

-- Reads the budgets of a hold's line: their account ('w' or 't'), window, end and what they hold.
local function budgets_of(text)
  local budgets = {}
  for account, window, stop, held in string.gmatch(text, '(%a)(%d+:%d+):(%d+):(%d+)') do
    budgets[#budgets + 1] = { account = account, window = window, stop = stop, held = tonumber(held) }
  end
  return budgets
end

-- Reads two fields of an account with the counters of its budgets, which it keeps in them. nil: the account is cold.
local function read_account(key, letter, first, second, budgets)
  local fields = { first, second }
  for _, budget in ipairs(budgets) do
    if budget.account == letter then
      budget.at = #fields
      fields[#fields + 1] = 'bs' .. budget.window
      fields[#fields + 1] = 'bh' .. budget.window
    end
  end
  local found = redis.call('HMGET', key, unpack(fields))
  if not found[1] then return nil end
  for _, budget in ipairs(budgets) do
    if budget.account == letter then
      budget.spent_before, budget.held_before = found[budget.at + 1] or 0, found[budget.at + 2] or 0
    end
  end
  return found
end

-- The balances of the wallet and, if it is charged or has a budget, the token; nil while one of them is cold. `text`: the budgets as in
-- a hold's line, or nil.
local function read_accounts(token_held, text)
  local budgets = text and budgets_of(text) or {}
  local of_wallet = read_account(wallet, 'w', 'spent', 'held', budgets)
  if not of_wallet then return nil end
  local counts_token = text and string.find(text, 't', 1, true)
  local accounts = { wallet = of_wallet, budgets = text and budgets }
  if token_held <= 0 and not counts_token then return accounts end
  local of_token = read_account(token_key, 't', 'charged', 'held', budgets)
  if not of_token then return nil end
  if token_held <= 0 then accounts.counts_token = true else accounts.token = of_token end
  return accounts
end

-- Moves a charge from held to spent in the budgets of one account, by adding to the fields that are written to it.
local function charge_budgets(changes, budgets, letter, charge, is_held)
  for _, budget in ipairs(budgets) do
    if budget.account == letter then
      local held = is_held and math.max(0, budget.held_before - budget.held) or tonumber(budget.held_before)
      local at = #changes
      changes[at + 1], changes[at + 2] = 'bs' .. budget.window, int(budget.spent_before + charge)
      changes[at + 3], changes[at + 4] = 'bh' .. budget.window, int(held)
    end
  end
end

-- The windows of the budgets, as the event has them.
local function windows_text(budgets)
  local windows = {}
  for i, budget in ipairs(budgets) do windows[i] = budget.account .. budget.window .. ':' .. budget.stop end
  return table.concat(windows, ',')
end

-- Changes the balances and appends the event. Returns n. `is_held`: the hold of the budgets is open.
local function charge_and_append(accounts, at, id, kind, user, token, charge, wallet_release, token_release, body, is_held)
  local n = redis.call('HINCRBY', fence, 'n', 1)
  local n_text, charge_text, token_charge = int(n), int(charge), '0'
  local budgets = accounts.budgets
  local function change(account, letter, changes)
    if budgets then charge_budgets(changes, budgets, letter, charge, is_held) end
    redis.call('HSET', account, unpack(changes))
  end
  local spent, held = accounts.wallet[1] + charge, accounts.wallet[2] - wallet_release
  change(wallet, 'w', { 'spent', int(spent), 'held', int(held), 'last_n', n_text, 'used', at })
  if accounts.token then
    token_charge = charge_text
    spent, held = accounts.token[1] + charge, accounts.token[2] - token_release
    change(token_key, 't', { 'charged', int(spent), 'held', int(held), 'last_n', n_text, 'used', at })
  elseif accounts.counts_token then
    change(token_key, 't', { 'last_n', n_text, 'used', at })
  end
  if not budgets then
    redis.call('XADD', usage, '*', 'n', n_text, 'id', id, 'kind', kind, 'charge', charge_text, 'at', at,
      'user', user, 'token', token, 'token_charge', token_charge, 'body', body)
    return n
  end
  redis.call('XADD', usage, '*', 'n', n_text, 'id', id, 'kind', kind, 'charge', charge_text, 'at', at, 'user', user, 'token', token,
    'token_charge', token_charge, 'budgets', windows_text(budgets), 'body', body)
  return n
end
