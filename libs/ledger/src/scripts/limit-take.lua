#!lua
-- Takes one request from the limits of one group, model or channel; all or nothing.
-- KEYS  1 minute  2 leases (zset of request ids by expiry)
-- ARGV  1 request id  2 rpm  3 tpm  4 concurrency (-1: off)  5 tokens  6 lease ms
-- Returns  {'taken', at ms, requests left, reset ms, tokens left, reset ms}   (left -1: no limit)
--          {'limited', 'requests' | 'tokens' | 'concurrency', retry after ms, requests left, reset ms, tokens left, reset ms}
local id, rpm, tpm, slots = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local tokens, lease = tonumber(ARGV[5]), tonumber(ARGV[6])
local now = now_ms()
local minute = read_minute(KEYS[1], now)

local function limited(what, wait)
  local answer = { 'limited', what, wait }
  add_left(answer, minute, rpm, tpm)
  return answer
end
-- Expired leases are removed only when all slots are taken; there are never more leases than slots.
if slots >= 0 and redis.call('ZCARD', KEYS[2]) >= slots then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', int(now))
  if redis.call('ZCARD', KEYS[2]) >= slots then return limited('concurrency', 1000) end
end
local wait = wait_for(minute, 'r', rpm, 1)
if wait > 0 then return limited('requests', wait) end
wait = wait_for(minute, 't', tpm, tokens)
if wait > 0 then return limited('tokens', wait) end

count_in(minute, rpm, tpm, tokens)
if slots >= 0 then
  redis.call('ZADD', KEYS[2], int(now + lease), id)
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
end
local answer = { 'taken', now }
add_left(answer, minute, rpm, tpm)
return answer
