-- Shared by every ledger script; placed after the shebang line when the text is built (scripts.ts).
--
-- A hold is one line of text, never JSON: cjson rounds integers past 14 digits.
--   open       o|user|token|wallet_held|token_held|owner|epoch|reserved_at
--   tombstone  r|user|token|token_held|charge|at     the reaper charged for it; one correction may follow
--              d|user|token|token_held|charge|at     done for good
-- A token part of 0 (token_held) means: the token was not limited when the hold was taken and is not charged.

local function int(value)
  return string.format('%.0f', tonumber(value))
end

local function now_ms()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- The gate's epoch, or nil while the shard is closed.
local function epoch_of(gate)
  local found = redis.call('HMGET', gate, 'epoch', 'closed')
  if not found[1] or found[2] then return nil end
  return tonumber(found[1])
end

local function hold_of(holds, id)
  local text = redis.call('HGET', holds, id)
  if not text then return nil end
  local part = {}
  for word in string.gmatch(text, '[^|]+') do part[#part + 1] = word end
  if part[1] == 'o' then
    return {
      kind = 'open', user = part[2], token = part[3], wallet_held = tonumber(part[4]), token_held = tonumber(part[5]),
      owner = part[6], epoch = tonumber(part[7]), at = tonumber(part[8]),
    }
  end
  return {
    kind = part[1] == 'r' and 'reaped' or 'done', user = part[2], token = part[3], token_held = tonumber(part[4]),
    charge = tonumber(part[5]), at = tonumber(part[6]),
  }
end

local function bury(keys, kind, id, user, token, token_held, charge, at)
  redis.call('HSET', keys.holds, id, table.concat({ kind, user, token, int(token_held), int(charge), int(at) }, '|'))
  redis.call('ZADD', keys.tombs, int(at), id)
end

local function forget_open(keys, id)
  redis.call('HDEL', keys.holds, id)
  redis.call('ZREM', keys.times, id)
  redis.call('HDEL', keys.drafts, id)
  redis.call('HDEL', keys.progress, id)
end

-- True when wallet (and token, if it is charged) are loaded.
local function is_warm(keys, token_held)
  if redis.call('EXISTS', keys.wallet) == 0 then return false end
  return token_held <= 0 or redis.call('EXISTS', keys.token) == 1
end

-- Moves the balances and appends the event: the one atomic step. Returns n.
local function charge_and_append(keys, id, kind, user, token, charge, held, token_held, token_release, body)
  local at = now_ms()
  local n = redis.call('HINCRBY', keys.gate, 'n', 1)
  local token_charge = 0
  if charge ~= 0 then redis.call('HINCRBY', keys.wallet, 'spent', int(charge)) end
  if held > 0 then redis.call('HINCRBY', keys.wallet, 'held', int(-held)) end
  redis.call('HSET', keys.wallet, 'last_n', n, 'used', int(at))
  if token_held > 0 then
    token_charge = charge
    if charge ~= 0 then redis.call('HINCRBY', keys.token, 'charged', int(charge)) end
    if token_release > 0 then redis.call('HINCRBY', keys.token, 'held', int(-token_release)) end
    redis.call('HSET', keys.token, 'last_n', n, 'used', int(at))
  end
  redis.call('XADD', keys.usage, '*', 'n', n, 'id', id, 'kind', kind, 'charge', int(charge), 'at', int(at),
    'user', user, 'token', token, 'token_charge', int(token_charge), 'body', body)
  return n
end
