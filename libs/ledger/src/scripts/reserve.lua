#!lua
-- Takes a hold from a wallet and, if it is limited, its token. Checks everything before it writes anything.
-- KEYS  1 fence:  2 w:  3 t: (ignored when ARGV token is 0)  4 hold:  5 exp:  6 pending:  7 use:  8 win total  9 win success
--       only with ARGV 16:  10 user's minute  11 user's slots  12 token's minute  13 token's slots  (limit-window.lua)
-- ARGV  1 request id  2 user  3 token  4 user auth  5 token auth  6 relay_id  7 want  8 least  9 not_after (ms)  10 backlog cap
--       11 total max (-1: off)  12 total window ms  13 success max (-1: off)  14 success window ms  15 pending event
--       only when the user or token has limits or budgets:  16 tokens ('': no limits)  17 rpm  18 tpm  19 concurrency of the user
--       20-22 of the token (-1: off)
--       only when budgets count the request:  23 budgets (reserve-budgets.lua)
-- Returns  {'held', wallet_held, token_held, epoch, spendable after it}; with ARGV 16 followed by LEFT
--          LEFT: for the user, then the token: requests left (-1: no limit), reset ms, tokens left, reset ms
--          and, with ARGV 23, for each budget: spent before, held by others, held now
--          {'budget-short', place in ARGV 23 from 1, spent, held by open requests}
--          {'user-short' | 'token-short', spendable, held by open requests, their number (0: not counted)}
--          {'limited', 'total' | 'success', retry after ms}
--          {'limited', 'user-requests' | 'user-tokens' | 'user-concurrency' | 'token-…', retry after ms, LEFT}
--          {'closed'} | {'backlog'} | {'too-late'} | {'duplicate'} | {'cold'} | {'stale'} |
--          {'window-over'} (a window of ARGV 23 has ended)
local fence, wallet, token, holds, times, pending_events, usage = unpack(KEYS, 1, 7)
local id, user, token_id, relay_id = ARGV[1], ARGV[2], ARGV[3], ARGV[6]
local want, least = tonumber(ARGV[7]), tonumber(ARGV[8])

local epoch = epoch_of(fence)
if not epoch then return { 'closed' } end
if backlog_of(usage) >= tonumber(ARGV[10]) then return { 'backlog' } end
local now, at = now_ms()
if now > tonumber(ARGV[9]) then return { 'too-late' } end

local budgets = ARGV[23] and budgets_in(ARGV[23]) or {}
local has_budgets = #budgets > 0
local wallet_fields = { 'credited', 'spent', 'held', 'auth' }
if has_budgets then add_budget_fields(wallet_fields, budgets, 'w') end
local w = redis.call('HMGET', wallet, unpack(wallet_fields))
local wallet_left = w[1] and w[1] - w[2] - w[3]

local hold = hold_of(holds, id)
if hold then
  if hold.kind ~= 'open' or hold.relay_id ~= relay_id then return { 'duplicate' } end
  return { 'held', hold.wallet_held, hold.token_held, hold.epoch, wallet_left or 0 }
end
if not wallet_left then return { 'cold' } end

local has_token = token_id ~= '0'
local t, is_limited, token_left = nil, false, 0
if has_token then
  local token_fields = { 'granted', 'charged', 'held', 'limited', 'auth' }
  if has_budgets then add_budget_fields(token_fields, budgets, 't') end
  t = redis.call('HMGET', token, unpack(token_fields))
  if not t[1] then return { 'cold' } end
  if tonumber(t[5]) > tonumber(ARGV[5]) then return { 'stale' } end
  is_limited = t[4] == '1'
  token_left = t[1] - t[2] - t[3]
end
if tonumber(w[4]) > tonumber(ARGV[4]) then return { 'stale' } end
if has_budgets then
  read_budgets(budgets, 'w', w)
  if has_token then read_budgets(budgets, 't', t) end
  for _, budget in ipairs(budgets) do
    if now >= tonumber(budget.stop) then return { 'window-over' } end
  end
end

local success_wait = window_wait(KEYS[9], tonumber(ARGV[13]), tonumber(ARGV[14]), now)
if success_wait > 0 then return { 'limited', 'success', success_wait } end
local total_max, total_window = tonumber(ARGV[11]), tonumber(ARGV[12])
local total_wait = window_wait(KEYS[8], total_max, total_window, now)
if total_wait > 0 then return { 'limited', 'total', total_wait } end

-- Limits of user and token; a scope without limits is not read.
local scopes = {}
if ARGV[16] and ARGV[16] ~= '' then
  for i, name in ipairs({ 'user', 'token' }) do
    local arg = 14 + 3 * i
    local scope = {
      name = name, minute_key = KEYS[8 + 2 * i], slots_key = KEYS[9 + 2 * i],
      rpm = tonumber(ARGV[arg]), tpm = tonumber(ARGV[arg + 1]), slots = tonumber(ARGV[arg + 2]),
    }
    scope.counts = scope.rpm >= 0 or scope.tpm >= 0
    scope.minute = scope.counts and read_minute(scope.minute_key, now) or { r = 0, t = 0 }
    -- A request larger than the whole limit takes all of it.
    scope.tokens = scope.tpm >= 0 and math.min(tonumber(ARGV[16]), scope.tpm) or 0
    scopes[i] = scope
  end
end
local function with_left(answer)
  for _, scope in ipairs(scopes) do add_left(answer, scope.minute, scope.rpm, scope.tpm) end
  return answer
end
for _, scope in ipairs(scopes) do
  scope.open = scope.slots < 0 and 0 or open_under(scope.slots_key, scope.slots, holds, now)
  if not scope.open then return with_left({ 'limited', scope.name .. '-concurrency', 1000 }) end
  local wait = wait_for(scope.minute, 'r', scope.rpm, 1)
  if wait > 0 then return with_left({ 'limited', scope.name .. '-requests', wait }) end
  wait = wait_for(scope.minute, 't', scope.tpm, scope.tokens)
  if wait > 0 then return with_left({ 'limited', scope.name .. '-tokens', wait }) end
end

-- A request that costs nothing needs no balance, not even one of 0.
if least > 0 and wallet_left < least then
  return { 'user-short', wallet_left, tonumber(w[3]), count_open(holds, 'user', user, w[3]) }
end
if least > 0 and is_limited and token_left < least then
  return { 'token-short', token_left, tonumber(t[3]), count_open(holds, 'token', token_id, t[3]) }
end

for i, budget in ipairs(budgets) do
  if least > 0 and budget.cap >= 0 and budget.left < least then return { 'budget-short', i, budget.used, budget.held } end
end

-- When `want` does not fit, hold everything left: the next request must wait until this one ends.
local wallet_held = math.max(0, math.min(want, wallet_left))
local token_held = is_limited and math.max(0, math.min(want, token_left)) or 0

local function hold_in(account, letter, held)
  if not has_budgets then return redis.call('HSET', account, 'held', held, 'used', at) end
  local changes = { 'held', held, 'used', at }
  hold_budgets(changes, account, budgets, letter, want)
  redis.call('HSET', account, unpack(changes))
end
hold_in(wallet, 'w', int(w[3] + wallet_held))
if has_token then hold_in(token, 't', int(t[3] + token_held)) end
local parts = { 'o', user, token_id, int(wallet_held), int(token_held), relay_id, int(epoch), at }
if has_budgets then parts[9] = budgets_text(budgets) end
redis.call('HSET', holds, id, table.concat(parts, '|'))
redis.call('ZADD', times, at, id)
redis.call('HSET', pending_events, id, ARGV[15])
if tonumber(ARGV[13]) >= 0 then count_in_window(KEYS[9], tonumber(ARGV[14]), now, at, id) end
if total_max >= 0 then count_in_window(KEYS[8], total_window, now, at, id) end
for _, scope in ipairs(scopes) do
  if scope.counts then count_in(scope.minute, scope.rpm, scope.tpm, scope.tokens) end
  if scope.slots >= 0 then
    redis.call('ZADD', scope.slots_key, at, id)
    -- Redis removes the key with its last member, so the first member must set its expiry.
    if scope.open == 0 or redis.call('PTTL', scope.slots_key) < SLOTS_MS then
      redis.call('PEXPIRE', scope.slots_key, 2 * SLOTS_MS)
    end
  end
end
local answer = with_left({ 'held', wallet_held, token_held, epoch, wallet_left - wallet_held })
for _, budget in ipairs(budgets) do
  local at = #answer
  answer[at + 1], answer[at + 2], answer[at + 3] = budget.used, budget.held, budget.took
end
return answer
