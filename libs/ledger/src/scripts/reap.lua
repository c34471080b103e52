#!lua flags=allow-oom
-- Ends a request whose relay_id is dead, by its progress, and leaves a tombstone that one correction may find.
-- KEYS  1 g:  2 w:  3 t:  4 hold:  5 exp:  6 pendingEvent:  7 prog:  8 tomb:  9 use:
-- ARGV  1 request id  2 relay_id that was judged dead  3 charge  4 body
-- Returns  {'reaped', n} | {'gone'} (no open hold of this relay_id) | {'cold'} | {'closed'}
local id, charge = ARGV[1], tonumber(ARGV[3])
if not epoch_of(fence) then return { 'closed' } end
local hold = hold_of(holds, id)
if not hold or hold.kind ~= 'open' or hold.relay_id ~= ARGV[2] then return { 'gone' } end
local accounts = read_accounts(hold.token_held)
if not accounts then return { 'cold' } end
local _, at = now_ms()
forget_open(id)
writeTombstone('r', id, hold.user, hold.token, hold.token_held, charge, at)
return {
  'reaped',
  charge_and_append(accounts, at, id, 'final', hold.user, hold.token, charge, hold.wallet_held, hold.token_held, ARGV[4]),
}
