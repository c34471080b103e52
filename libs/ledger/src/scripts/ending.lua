-- Ends a hold. Part of settle and reap, after common.lua; their first nine KEYS are the ones below.
local fence, wallet, token_key, holds, times, pending_events, progress, tombs, usage = unpack(KEYS, 1, 9)

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

-- The balances of the wallet and, if it is charged or has a budget, the token; nil while one of them is cold. `budgets` is text as in
-- a hold's line, or nil.
local function read_accounts(token_held, budgets)
  local of_wallet = redis.call('HMGET', wallet, 'spent', 'held')
  if not of_wallet[1] then return nil end
  local counts_token = budgets and string.find(budgets, 't', 1, true)
  if token_held <= 0 and not counts_token then return { wallet = of_wallet, budgets = budgets } end
  local of_token = redis.call('HMGET', token_key, 'charged', 'held')
  if not of_token[1] then return nil end
  if token_held <= 0 then return { wallet = of_wallet, budgets = budgets, counts_token = true } end
  return { wallet = of_wallet, token = of_token, budgets = budgets }
end

-- Moves a charge from held to spent in every budget. Returns their windows, as the event has them.
local function charge_budgets(budgets, charge, is_held)
  local windows = {}
  for account, window, stop, held in string.gmatch(budgets, '(%a)(%d+:%d+):(%d+):(%d+)') do
    local key = account == 'w' and wallet or token_key
    local spent_field, held_field = 'bs' .. window, 'bh' .. window
    local found = redis.call('HMGET', key, spent_field, held_field)
    local left = is_held and math.max(0, (found[2] or 0) - held) or tonumber(found[2] or 0)
    redis.call('HSET', key, spent_field, int((found[1] or 0) + charge), held_field, int(left))
    windows[#windows + 1] = account .. window .. ':' .. stop
  end
  return table.concat(windows, ',')
end

-- Changes the balances and appends the event. Returns n. `is_held`: the hold of the budgets is open.
local function charge_and_append(accounts, at, id, kind, user, token, charge, wallet_release, token_release, body, is_held)
  local n = redis.call('HINCRBY', fence, 'n', 1)
  local n_text, charge_text, token_charge = int(n), int(charge), '0'
  local spent, held = accounts.wallet[1] + charge, accounts.wallet[2] - wallet_release
  redis.call('HSET', wallet, 'spent', int(spent), 'held', int(held), 'last_n', n_text, 'used', at)
  if accounts.token then
    token_charge = charge_text
    spent, held = accounts.token[1] + charge, accounts.token[2] - token_release
    redis.call('HSET', token_key, 'charged', int(spent), 'held', int(held), 'last_n', n_text, 'used', at)
  end
  if not accounts.budgets then
    redis.call('XADD', usage, '*', 'n', n_text, 'id', id, 'kind', kind, 'charge', charge_text, 'at', at,
      'user', user, 'token', token, 'token_charge', token_charge, 'body', body)
    return n
  end
  if accounts.counts_token then redis.call('HSET', token_key, 'last_n', n_text, 'used', at) end
  redis.call('XADD', usage, '*', 'n', n_text, 'id', id, 'kind', kind, 'charge', charge_text, 'at', at, 'user', user, 'token', token,
    'token_charge', token_charge, 'budgets', charge_budgets(accounts.budgets, charge, is_held), 'body', body)
  return n
end
