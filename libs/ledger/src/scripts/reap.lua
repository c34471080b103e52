#!lua flags=allow-oom
-- Ends a request of a dead relay by its progress, and leaves a tombstone so that one correction may follow.
-- KEYS  1 fence:  2 w:  3 t:  4 hold:  5 exp:  6 pending:  7 prog:  8 tomb:  9 use:
-- ARGV  1 request id  2 relay_id of the dead relay  3 charge  4 body
-- Returns  {'reaped', n} | {'absent'} (no open hold of this relay_id) | {'cold'} | {'closed'}
name_keys(KEYS)
local id, charge = ARGV[1], tonumber(ARGV[3])
if not epoch_of(fence) then return { 'closed' } end
local hold = hold_of(holds, id)
if not hold or hold.kind ~= 'open' or hold.relay_id ~= ARGV[2] then return { 'absent' } end
local accounts = read_accounts(hold.token_held, hold.budgets)
if not accounts then return { 'cold' } end
local _, at = now_ms()
forget_open(id)
write_tombstone('r', id, hold.user, hold.token, hold.token_held, charge, at)
return {
  'reaped',
  charge_and_append(accounts, at, id, 'final', hold.user, hold.token, charge, hold.wallet_held, hold.token_held, ARGV[4], true),
}
