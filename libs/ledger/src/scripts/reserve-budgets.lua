-- Budgets that a request takes from. Part of reserve, after common.lua. The counters are described in budgets.lua.

-- Reads ARGV 23: for each budget '<w or t><id>:<start>:<end ms>:<cap or -1>:<start of the window before>:
-- <start of the one before that>', joined by commas.
local function budgets_in(text)
  local budgets = {}
  for account, id, start, stop, cap, previous, old in string.gmatch(text, '(%a)(%d+):(%d+):(%d+):(-?%d+):(%d+):(%d+)') do
    budgets[#budgets + 1] = {
      account = account, window = id .. ':' .. start, stop = stop, cap = tonumber(cap), previous = id .. ':' .. previous,
      old = id .. ':' .. old,
    }
  end
  return budgets
end

-- Adds the counters of the budgets of one account to the fields that are read from it.
local function add_budget_fields(fields, budgets, letter)
  for _, budget in ipairs(budgets) do
    if budget.account == letter then
      budget.at = #fields
      fields[#fields + 1] = 'bs' .. budget.window
      fields[#fields + 1] = 'bh' .. budget.window
      fields[#fields + 1] = 'bb' .. budget.window
    end
  end
  return fields
end

-- Takes the counters from the values that were read.
local function read_budgets(budgets, letter, values)
  for _, budget in ipairs(budgets) do
    if budget.account == letter then
      budget.is_new = not values[budget.at + 1]
      budget.used = (values[budget.at + 1] or 0) + (values[budget.at + 3] or 0)
      budget.held = tonumber(values[budget.at + 2] or 0)
      budget.left = budget.cap - budget.used - budget.held
    end
  end
end

-- Forgets an old window when a new one begins. Without counters of the window between them, the clock has jumped ahead: it may come
-- back to the old one. An account that was idle for that long is evicted with its counters.
local function forget_old(key, budget)
  if not budget.is_new or budget.old == budget.window then return end
  local between = redis.call('HMGET', key, 'bs' .. budget.previous, 'bh' .. budget.previous)
  if between[1] or between[2] then redis.call('HDEL', key, 'bs' .. budget.old, 'bh' .. budget.old, 'bb' .. budget.old) end
end

-- Adds what the budgets of one account hold to the fields that are written to it.
local function hold_budgets(changes, key, budgets, letter, want)
  for _, budget in ipairs(budgets) do
    if budget.account == letter then
      budget.took = budget.cap < 0 and want or math.max(0, math.min(want, budget.left))
      changes[#changes + 1] = 'bh' .. budget.window
      changes[#changes + 1] = int(budget.held + budget.took)
      forget_old(key, budget)
    end
  end
end

-- The part of a hold's line.
local function budgets_text(budgets)
  local parts = {}
  for i, budget in ipairs(budgets) do
    parts[i] = budget.account .. budget.window .. ':' .. budget.stop .. ':' .. int(budget.took)
  end
  return table.concat(parts, ',')
end
