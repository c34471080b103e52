#!lua flags=allow-oom
-- Ends a request: changes the balances and appends its usage event in one step. A charge of 0 releases the hold.
-- KEYS  1 fence:  2 w:  3 t:  4 hold:  5 exp:  6 pending:  7 prog:  8 tomb:  9 use:  10 win success
--       only with ARGV 10:  11 user's minute  12 user's slots  13 token's minute  14 token's slots  (limit-window.lua)
-- ARGV  1 request id  2 user  3 token  4 charge  5 wallet_held  6 token_held  7 epoch (5-7 as reserve answered)
--       8 success window ms (0: no window; below 0: gives its place back)  9 body
--       only when the user or token has limits or budgets:  10 tokens used ('': no limits)  11 tokens taken from the user's minute  12 from the token's
--       only when budgets counted it:  13 as in a hold's line (common.lua), for a request without its hold
-- Returns  {'settled', n, epoch}   the hold was open
--          {'late', n, epoch}      the reaper had charged the request: the event carries the difference, once
--          {'orphan', n, epoch}    no hold, and the reservation is from an older epoch: charged; posting drops duplicates by request id
--          {'already'}      no hold from this epoch, or ended before: nothing was written
--          {'cold'}         wallet or token must be loaded first: nothing was written
--          {'closed'}
name_keys(KEYS)
local id, user, token, charge, body = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[9]

local epoch = epoch_of(fence)
if not epoch then return { 'closed' } end

local now, at = now_ms()

-- reserve counted the request in the window of successful ones; one that failed leaves it.
local success_window = tonumber(ARGV[8])
if success_window < 0 then redis.call('ZREM', KEYS[10], id) end

-- Frees the slots and replaces the estimate by the used tokens in the minute of the reservation. A limit that took nothing is not
-- changed.
local function release_limits(reserved_at)
  if not ARGV[10] or ARGV[10] == '' then return end
  for i = 0, 1 do
    local taken = tonumber(ARGV[11 + i])
    redis.call('ZREM', KEYS[12 + 2 * i], id)
    if reserved_at and taken > 0 then correct(KEYS[11 + 2 * i], reserved_at, 0, tonumber(ARGV[10]) - taken) end
  end
end

local hold = hold_of(holds, id)
if hold and hold.kind == 'done' then return { 'already' } end

if hold and hold.kind == 'open' then
  local accounts = read_accounts(hold.token_held, hold.budgets)
  if not accounts then return { 'cold' } end
  forget_open(id)
  -- Reserved in an older epoch: without a tombstone a repeated call would be taken for an orphan.
  if hold.epoch ~= epoch then write_tombstone('d', id, user, token, hold.token_held, charge, at) end
  release_limits(hold.at)
  return {
    'settled',
    charge_and_append(accounts, at, id, 'final', user, token, charge, hold.wallet_held, hold.token_held, body, true),
    epoch,
  }
end

if hold then
  local accounts = read_accounts(hold.token_held, ARGV[13])
  if not accounts then return { 'cold' } end
  release_limits(nil)
  write_tombstone('d', id, user, token, hold.token_held, charge, at)
  return { 'late', charge_and_append(accounts, at, id, 'late', user, token, charge - hold.charge, 0, 0, body), epoch }
end

if tonumber(ARGV[7]) == epoch then return { 'already' } end
local token_held = tonumber(ARGV[6])
local accounts = read_accounts(token_held, ARGV[13])
if not accounts then return { 'cold' } end
write_tombstone('d', id, user, token, token_held, charge, at)
-- The store that counted it is gone.
if success_window > 0 then count_in_window(KEYS[10], success_window, now, at, id) end
return { 'orphan', charge_and_append(accounts, at, id, 'final', user, token, charge, 0, 0, body), epoch }
