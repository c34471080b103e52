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

-- The balances of the wallet and, if it is charged, the token; nil while one of them is cold.
local function read_accounts(token_held)
  local of_wallet = redis.call('HMGET', wallet, 'spent', 'held')
  if not of_wallet[1] then return nil end
  if token_held <= 0 then return { wallet = of_wallet } end
  local of_token = redis.call('HMGET', token_key, 'charged', 'held')
  if not of_token[1] then return nil end
  return { wallet = of_wallet, token = of_token }
end

-- Changes the balances and appends the event. Returns n.
local function charge_and_append(accounts, at, id, kind, user, token, charge, wallet_release, token_release, body)
  local n = redis.call('HINCRBY', fence, 'n', 1)
  local n_text, charge_text, token_charge = int(n), int(charge), '0'
  local spent, held = accounts.wallet[1] + charge, accounts.wallet[2] - wallet_release
  redis.call('HSET', wallet, 'spent', int(spent), 'held', int(held), 'last_n', n_text, 'used', at)
  if accounts.token then
    token_charge = charge_text
    spent, held = accounts.token[1] + charge, accounts.token[2] - token_release
    redis.call('HSET', token_key, 'charged', int(spent), 'held', int(held), 'last_n', n_text, 'used', at)
  end
  redis.call('XADD', usage, '*', 'n', n_text, 'id', id, 'kind', kind, 'charge', charge_text, 'at', at,
    'user', user, 'token', token, 'token_charge', token_charge, 'body', body)
  return n
end
