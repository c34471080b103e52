-- Shared by every ledger script; scripts.ts inserts it after the shebang line. Functions that only some scripts need are in parts of
-- their own, because each run of a script creates all functions of its text.
--
-- A call costs more than the data it moves, and a number costs more than text. So each script reads a key with one call and writes it
-- with one, writes absolute values instead of increments, and leaves unchanged text as text.
--
-- A hold is one line of text, not JSON: cjson rounds integers of more than 14 digits.
--   open       o|user|token|wallet_held|token_held|relay_id|epoch|reserved_at
--              and, where budgets count it, |<w or t><budget>:<start>:<end ms>:<held>, … (budgets.lua)
--   tombstone  r|user|token|token_held|charge|at     charged by the reaper; one correction may follow
--              d|user|token|token_held|charge|at     final
-- token_held 0: the token was not limited when the hold was taken, so it is not charged.

-- All digits of an integer. '%d' is faster, but on a 32-bit Redis it is right only for short integers.
local function int(value)
  if value < 2147483648 and value > -2147483648 then return string.format('%d', value) end
  return string.format('%.0f', value)
end

-- Redis TIME in ms, as a number and as text; the same for all entries of a batch.
local time_read, time_text
local function now_ms()
  if not time_text then
    local time = redis.call('TIME')
    time_text = time[1] .. string.sub('00000' .. time[2], -6, -4)
    time_read = tonumber(time_text)
  end
  return time_read, time_text
end

-- The fence's epoch, or nil while the fence is closed. No script that serves requests changes it.
local epochs = {}
local function epoch_of(fence)
  if epochs[fence] == nil then
    local found = redis.call('HMGET', fence, 'epoch', 'closed')
    epochs[fence] = found[1] and not found[2] and tonumber(found[1])
  end
  return epochs[fence] or nil
end

-- Split by hand: a pattern with this many captures costs as much as five calls.
local function hold_in(text)
  local part, count, from, bar = {}, 0, 1, string.find(text, '|', 1, true)
  while bar do
    count = count + 1
    part[count] = string.sub(text, from, bar - 1)
    from = bar + 1
    bar = string.find(text, '|', from, true)
  end
  local last = string.sub(text, from)
  if part[1] == 'o' then
    local at, budgets = tonumber(part[8] or last), part[8] and last or nil
    return {
      kind = 'open', user = part[2], token = part[3], wallet_held = tonumber(part[4]), token_held = tonumber(part[5]),
      relay_id = part[6], epoch = tonumber(part[7]), at = at, budgets = budgets,
    }
  end
  return {
    kind = part[1] == 'r' and 'reaped' or 'done', user = part[2], token = part[3], token_held = tonumber(part[4]),
    charge = tonumber(part[5]), at = tonumber(last),
  }
end

local function hold_of(holds, id)
  local text = redis.call('HGET', holds, id)
  return text and hold_in(text) or nil
end

-- Open holds of a user or token, for a shard that has few enough holds to look at; 0: nothing is held, or not counted.
local COUNTED_HOLDS = 500
local function count_open(holds, kind, id, held)
  if tonumber(held) == 0 or redis.call('HLEN', holds) > COUNTED_HOLDS then return 0 end
  local count = 0
  for _, text in ipairs(redis.call('HVALS', holds)) do
    local hold = hold_in(text)
    if hold.kind == 'open' and hold[kind] == id and hold[kind == 'user' and 'wallet_held' or 'token_held'] > 0 then count = count + 1 end
  end
  return count
end
