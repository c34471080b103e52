-- Shared by every ledger script; placed after the shebang line when the text is built (scripts.ts). What only some of them need stands
-- in a part of its own: each run of a script makes all functions of its text anew.
--
-- A call costs more than what it asks for, and a number more than text: what is needed of a key is read with one call and written
-- with one, absolute values instead of increments; what came as text and goes on unchanged stays text.
--
-- A hold is one line of text, never JSON: cjson rounds integers past 14 digits.
--   open       o|user|token|wallet_held|token_held|relay_id|epoch|reserved_at
--   tombstone  r|user|token|token_held|charge|at     the reaper charged for it; one correction may follow
--              d|user|token|token_held|charge|at     done for good
-- A token part of 0 (token_held) means: the token was not limited when the hold was taken and is not charged.

-- All digits of an integer. Short ones the quick way, which a Redis of 32 bits has for no others.
local function int(value)
  if value < 2147483648 and value > -2147483648 then return string.format('%d', value) end
  return string.format('%.0f', value)
end

-- Redis TIME in ms, as a number and as text.
local function now_ms()
  local time = redis.call('TIME')
  local text = time[1] .. string.sub('00000' .. time[2], -6, -4)
  return tonumber(text), text
end

-- The fence's epoch, or nil while the shard is closed.
local function epoch_of(fence)
  local found = redis.call('HMGET', fence, 'epoch', 'closed')
  if not found[1] or found[2] then return nil end
  return tonumber(found[1])
end

-- Cut by hand: a pattern with this many captures costs as much as five calls.
local function hold_of(holds, id)
  local text = redis.call('HGET', holds, id)
  if not text then return nil end
  local part, count, from, bar = {}, 0, 1, string.find(text, '|', 1, true)
  while bar do
    count = count + 1
    part[count] = string.sub(text, from, bar - 1)
    from = bar + 1
    bar = string.find(text, '|', from, true)
  end
  local at = tonumber(string.sub(text, from))
  if part[1] == 'o' then
    return {
      kind = 'open', user = part[2], token = part[3], wallet_held = tonumber(part[4]), token_held = tonumber(part[5]),
      relay_id = part[6], epoch = tonumber(part[7]), at = at,
    }
  end
  return {
    kind = part[1] == 'r' and 'reaped' or 'done', user = part[2], token = part[3], token_held = tonumber(part[4]),
    charge = tonumber(part[5]), at = at,
  }
end
