#!lua
-- Shared by every ledger script; scripts.ts inserts it after the shebang line. Functions that only some scripts need are in parts of
-- their own, because each run of a script creates all functions of its text.
--
-- A call costs more than the data it moves, and a number costs more than text. So each script reads a key with one call and writes it
-- with one, writes absolute values instead of increments, and leaves unchanged text as text.
--
-- A hold is one line of text, not JSON: cjson rounds integers of more than 14 digits.
--   open       o|user|token|wallet_held|token_held|relay_id|epoch|reserved_at
--   tombstone  r|user|token|token_held|charge|at     charged by the reaper; one correction may follow
--              d|user|token|token_held|charge|at     final
-- token_held 0: the token was not limited when the hold was taken, so it is not charged.

-- All digits of an integer. '%d' is faster, but on a 32-bit Redis it is right only for short integers.
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

-- The fence's epoch, or nil while the fence is closed.
local function epoch_of(fence)
  local found = redis.call('HMGET', fence, 'epoch', 'closed')
  if not found[1] or found[2] then return nil end
  return tonumber(found[1])
end

-- Split by hand: a pattern with this many captures costs as much as five calls.
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
-- Request windows. Part of reserve and settle, after common.lua.

-- Counts a request. Only about one request in twenty removes old members (ids end randomly), so readers must count the members inside
-- the window. The key lives for one to two windows, so no member expires early.
local function count_in_window(key, window, now, at, id)
  redis.call('ZADD', key, at, id)
  if string.byte(id, -1) % 16 == 0 then redis.call('ZREMRANGEBYSCORE', key, '-inf', int(now - window)) end
  if redis.call('PTTL', key) < window then redis.call('PEXPIRE', key, int(2 * window)) end
end
-- Waits of request windows. Part of reserve and window-peek, after common.lua.

-- Milliseconds until the window allows another request; 0: now.
local function window_wait(key, max, window, now)
  -- ZCARD needs no search and is never smaller than the number that counts.
  if max < 0 or redis.call('ZCARD', key) < max then return 0 end
  local first = '(' .. int(now - window)
  if redis.call('ZCOUNT', key, first, '+inf') < max then return 0 end
  local oldest = redis.call('ZRANGEBYSCORE', key, first, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  return math.max(1, (tonumber(oldest[2]) or now) + window - now)
end
-- Limits per minute and of open requests. Part of reserve, limit-take and limit-peek, after common.lua.
--
-- A minute is a hash of counters by second of Redis TIME: r<second> requests, t<second> tokens. A second counts while any part of it
-- is within the last 60 s, so no period of 60 s exceeds the limit; capacity becomes free up to a second late.
-- R0 and T0 are the sums of all r and t in the hash, S0 the second in which they were written: most requests read these and the
-- counters that became too old since, instead of all counters. Scripts of the previous version take R0, T0 and S0 for old counters and
-- remove them; then, and in the first request of each minute of the clock, all counters are summed again.
local MINUTE = 60
local KEPT_MS = 122000
-- For a longer gap it is cheaper to read all counters.
local MAX_SECONDS = 4
local RECHECK_MS = 5000
local MAX_RECHECK = 100
-- A slot set without requests for a day expires; no request is open that long.
local SLOTS_MS = 86400000

-- Reads all counters of the last minute; collects the names of older ones in `old`.
local function read_parts(minute)
  local flat = redis.call('HGETALL', minute.key)
  minute.r, minute.t, minute.parts, minute.old, minute.newest = 0, 0, {}, {}, { r = 0, t = 0 }
  for i = 1, #flat, 2 do
    local kind, at, count = string.sub(flat[i], 1, 1), tonumber(string.sub(flat[i], 2)), tonumber(flat[i + 1])
    if at ~= 0 and at < minute.second - MINUTE then
      minute.old[#minute.old + 1] = flat[i]
    elseif at ~= 0 then
      minute[kind] = minute[kind] + count
      minute.parts[#minute.parts + 1] = { kind = kind, at = at, count = count }
      if count ~= 0 then minute.newest[kind] = math.max(minute.newest[kind], at) end
    end
  end
end

-- Subtracts counters older than a minute from the sums that were written `passed` seconds ago.
local function subtract_old(minute, passed)
  local names = {}
  for at = minute.second - MINUTE - passed, minute.second - MINUTE - 1 do
    names[#names + 1] = 'r' .. at
    names[#names + 1] = 't' .. at
  end
  if #names == 0 then return end
  for i, count in ipairs(redis.call('HMGET', minute.key, unpack(names))) do
    if count then
      local kind = i % 2 == 1 and 'r' or 't'
      minute[kind] = minute[kind] - count
      minute.old[#minute.old + 1] = names[i]
    end
  end
end

-- Reads the sums of the last minute and the counters of this second.
local function read_minute(key, now)
  local second = math.floor(now / 1000)
  local found = redis.call('HMGET', key, 'S0', 'R0', 'T0', 'r' .. second, 't' .. second)
  local minute = {
    key = key, now = now, second = second, old = {}, newest = {}, r = tonumber(found[2]), t = tonumber(found[3]),
    r_now = tonumber(found[4] or 0), t_now = tonumber(found[5] or 0),
  }
  local passed = found[1] and second - found[1]
  minute.is_recounted = not passed or passed < 0 or passed > MAX_SECONDS or second % MINUTE < passed
  if minute.is_recounted then read_parts(minute) else subtract_old(minute, passed) end
  return minute
end

-- Milliseconds until the counters of a second no longer count.
local function expires_in(minute, at)
  return math.max(1, (at + MINUTE + 1) * 1000 - minute.now)
end

-- Milliseconds until `count` more fit under `max`; 0: now.
local function wait_for(minute, kind, max, count)
  local over = minute[kind] + count - max
  if max < 0 or over <= 0 then return 0 end
  if not minute.parts then read_parts(minute) end
  table.sort(minute.parts, function(a, b) return a.at < b.at end)
  for _, part in ipairs(minute.parts) do
    if part.kind == kind then
      over = over - part.count
      if over <= 0 then return expires_in(minute, part.at) end
    end
  end
  return (MINUTE + 1) * 1000
end

-- The remainder under `max` (-1: no limit), and milliseconds until no counter counts any more.
local function left_of(minute, kind, max)
  if max < 0 then return -1, 0 end
  if not minute.newest[kind] then read_parts(minute) end
  local newest = minute.newest[kind]
  return math.max(0, max - minute[kind]), newest > 0 and expires_in(minute, newest) or 0
end

-- Counts one request and its tokens, each only if it has a limit.
local function count_in(minute, rpm, tpm, tokens)
  local second, counters = minute.second, {}
  if rpm >= 0 then
    minute.r, minute.newest.r = minute.r + 1, second
    counters = { 'r' .. second, int(minute.r_now + 1) }
  end
  if tpm >= 0 then
    minute.t = minute.t + tokens
    if tokens > 0 then minute.newest.t = second end
    counters[#counters + 1] = 't' .. second
    counters[#counters + 1] = int(minute.t_now + tokens)
  end
  if #minute.old > 0 then redis.call('HDEL', minute.key, unpack(minute.old)) end
  -- The sums first: a small hash is searched in the order of writing.
  redis.call('HSET', minute.key, 'S0', int(second), 'R0', int(minute.r), 'T0', int(minute.t), unpack(counters))
  -- Covers counters written in the rest of this minute of the clock, and a minute more.
  if minute.is_recounted then redis.call('PEXPIRE', minute.key, KEPT_MS) end
end

-- Appends four numbers to the answer: requests left, their reset in ms, tokens left, their reset in ms.
local function add_left(answer, minute, rpm, tpm)
  local at = #answer
  answer[at + 1], answer[at + 2] = left_of(minute, 'r', rpm)
  answer[at + 3], answer[at + 4] = left_of(minute, 't', tpm)
end

-- Members of a slot set that ended without their relay (reaped, or removed by a repair), and those that are open. Members are request
-- ids by the time their hold was last seen; at most MAX_RECHECK are checked per call, each once per RECHECK_MS.
local function ended_in(key, holds, now)
  local ended, open = {}, {}
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', int(now - RECHECK_MS), 'LIMIT', 0, MAX_RECHECK)) do
    local hold = hold_of(holds, id)
    local found = hold and hold.kind == 'open' and open or ended
    found[#found + 1] = id
  end
  return ended, open
end

-- The number of open requests if it is below `max`, else nil. Removes those that ended without their relay.
local function open_under(key, max, holds, now)
  local open = redis.call('ZCARD', key)
  if open < max then return open end
  local ended, seen = ended_in(key, holds, now)
  for _, id in ipairs(seen) do redis.call('ZADD', key, int(now), id) end
  for _, id in ipairs(ended) do redis.call('ZREM', key, id) end
  open = redis.call('ZCARD', key)
  return open < max and open or nil
end
-- Takes a hold from a wallet and, if it is limited, its token. Checks everything before it writes anything.
-- KEYS  1 fence:  2 w:  3 t: (ignored when ARGV token is 0)  4 hold:  5 exp:  6 pending:  7 use:  8 win total  9 win success
--       only with ARGV 16:  10 user's minute  11 user's slots  12 token's minute  13 token's slots  (limit-window.lua)
-- ARGV  1 request id  2 user  3 token  4 user auth  5 token auth  6 relay_id  7 want  8 least  9 not_after (ms)  10 backlog cap
--       11 total max (-1: off)  12 total window ms  13 success max (-1: off)  14 success window ms  15 pending event
--       only when the user or token has limits:  16 tokens  17 rpm  18 tpm  19 concurrency of the user  20-22 of the token (-1: off)
-- Returns  {'held', wallet_held, token_held, epoch, spendable after it}; with ARGV 16 followed by LEFT
--          LEFT: for the user, then the token: requests left (-1: no limit), reset ms, tokens left, reset ms
--          {'user-short', spendable} | {'token-short', spendable}
--          {'limited', 'total' | 'success', retry after ms}
--          {'limited', 'user-requests' | 'user-tokens' | 'user-concurrency' | 'token-…', retry after ms, LEFT}
--          {'closed'} | {'backlog'} | {'too-late'} | {'duplicate'} | {'cold'} | {'stale'}
local fence, wallet, token, holds, times, pending_events, usage = unpack(KEYS, 1, 7)
local id, user, token_id, relay_id = ARGV[1], ARGV[2], ARGV[3], ARGV[6]
local want, least = tonumber(ARGV[7]), tonumber(ARGV[8])

local epoch = epoch_of(fence)
if not epoch then return { 'closed' } end
if redis.call('XLEN', usage) >= tonumber(ARGV[10]) then return { 'backlog' } end
local now, at = now_ms()
if now > tonumber(ARGV[9]) then return { 'too-late' } end

local w = redis.call('HMGET', wallet, 'credited', 'spent', 'held', 'auth')
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
  t = redis.call('HMGET', token, 'granted', 'charged', 'held', 'limited', 'auth')
  if not t[1] then return { 'cold' } end
  if tonumber(t[5]) > tonumber(ARGV[5]) then return { 'stale' } end
  is_limited = t[4] == '1'
  token_left = t[1] - t[2] - t[3]
end
if tonumber(w[4]) > tonumber(ARGV[4]) then return { 'stale' } end

local success_wait = window_wait(KEYS[9], tonumber(ARGV[13]), tonumber(ARGV[14]), now)
if success_wait > 0 then return { 'limited', 'success', success_wait } end
local total_max, total_window = tonumber(ARGV[11]), tonumber(ARGV[12])
local total_wait = window_wait(KEYS[8], total_max, total_window, now)
if total_wait > 0 then return { 'limited', 'total', total_wait } end

-- Limits of user and token; a scope without limits is not read.
local scopes = {}
if ARGV[16] then
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

if wallet_left < least then return { 'user-short', wallet_left } end
if is_limited and token_left < least then return { 'token-short', token_left } end

-- When `want` does not fit, hold everything left: the next request must wait until this one ends.
local wallet_held = math.max(0, math.min(want, wallet_left))
local token_held = is_limited and math.max(0, math.min(want, token_left)) or 0

redis.call('HSET', wallet, 'held', int(w[3] + wallet_held), 'used', at)
if has_token then redis.call('HSET', token, 'held', int(t[3] + token_held), 'used', at) end
local parts = { 'o', user, token_id, int(wallet_held), int(token_held), relay_id, int(epoch), at }
redis.call('HSET', holds, id, table.concat(parts, '|'))
redis.call('ZADD', times, at, id)
redis.call('HSET', pending_events, id, ARGV[15])
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
return with_left({ 'held', wallet_held, token_held, epoch, wallet_left - wallet_held })
