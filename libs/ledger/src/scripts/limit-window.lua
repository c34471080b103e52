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
