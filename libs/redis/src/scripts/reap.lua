#!lua flags=allow-oom
-- Ends a request whose owner is dead, by its progress, and leaves a tombstone that one correction may find.
-- KEYS  1 g:  2 w:  3 t:  4 hold:  5 exp:  6 draft:  7 prog:  8 tomb:  9 use:
-- ARGV  1 request id  2 owner that was judged dead  3 charge  4 body
-- Returns  {'reaped', n} | {'gone'} (no open hold of this owner) | {'cold'} | {'closed'}
local keys = {
  gate = KEYS[1], wallet = KEYS[2], token = KEYS[3], holds = KEYS[4], times = KEYS[5], drafts = KEYS[6], progress = KEYS[7],
  tombs = KEYS[8], usage = KEYS[9],
}
local id, charge = ARGV[1], tonumber(ARGV[3])
if not epoch_of(keys.gate) then return { 'closed' } end
local hold = hold_of(keys.holds, id)
if not hold or hold.kind ~= 'open' or hold.owner ~= ARGV[2] then return { 'gone' } end
if not is_warm(keys, hold.token_held) then return { 'cold' } end
forget_open(keys, id)
bury(keys, 'r', id, hold.user, hold.token, hold.token_held, charge, now_ms())
return {
  'reaped',
  charge_and_append(keys, id, 'final', hold.user, hold.token, charge, hold.wallet_held, hold.token_held, hold.token_held, ARGV[4]),
}
