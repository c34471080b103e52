#!lua flags=no-writes
-- Reads the limits of one user, token, group, model or channel without taking anything from them.
-- KEYS  1 minute  2 slots of open requests  3 hold: (only of a user or token; else the slots are leases)
-- ARGV  1 rpm  2 tpm  3 concurrency (-1: off)  4 tokens
-- Returns  {requests, ms until one more fits, tokens, ms until these fit, open requests}
local now = now_ms()
local minute = read_minute(KEYS[1], now)
local open
if KEYS[3] then
  open = redis.call('ZCARD', KEYS[2])
  if open >= tonumber(ARGV[3]) then open = open - #ended_in(KEYS[2], KEYS[3], now) end
else
  open = redis.call('ZCOUNT', KEYS[2], '(' .. int(now), '+inf')
end
return {
  minute.r, wait_for(minute, 'r', tonumber(ARGV[1]), 1),
  minute.t, wait_for(minute, 't', tonumber(ARGV[2]), tonumber(ARGV[4])),
  open,
}
