-- Limits per minute and of open requests; shared by reserve, settle, limit-take and limit-give, after common.lua.
--
-- A minute is a hash of counters by second of Redis TIME: r<second> requests, t<second> tokens. Counted are the seconds of which any
-- part lies within the last 60 s, so no 60 s see more than the limit; room comes up to a second later than it could.
local MINUTE = 60
local RECHECK_MS = 5000
local RECHECK_MOST = 100
-- What nobody asked for in a day is forgotten; no request is open that long.
local SLOTS_MS = 86400000

-- The counters of the last minute; older ones are forgotten.
local function read_minute(key, now)
  local second = math.floor(now / 1000)
  local minute = { key = key, now = now, second = second, r = 0, t = 0, parts = {} }
  local flat, old = redis.call('HGETALL', key), {}
  for i = 1, #flat, 2 do
    local kind, at, count = string.sub(flat[i], 1, 1), tonumber(string.sub(flat[i], 2)), tonumber(flat[i + 1])
    if at < second - MINUTE then
      old[#old + 1] = flat[i]
    else
      minute[kind] = minute[kind] + count
      minute.parts[#minute.parts + 1] = { kind = kind, at = at, count = count }
    end
  end
  if #old > 0 then redis.call('HDEL', key, unpack(old)) end
  return minute
end

-- Milliseconds until the counters of a second are forgotten.
local function gone_in(minute, at)
  return math.max(1, (at + MINUTE + 1) * 1000 - minute.now)
end

-- Milliseconds until `count` more fit under `max`; 0: now.
local function wait_for(minute, kind, max, count)
  local over = minute[kind] + count - max
  if max < 0 or over <= 0 then return 0 end
  table.sort(minute.parts, function(a, b) return a.at < b.at end)
  for _, part in ipairs(minute.parts) do
    if part.kind == kind then
      over = over - part.count
      if over <= 0 then return gone_in(minute, part.at) end
    end
  end
  return (MINUTE + 1) * 1000
end

-- What is left under `max` (-1: no limit), and milliseconds until nothing counts any more.
local function left_of(minute, kind, max)
  if max < 0 then return -1, 0 end
  local reset = 0
  for _, part in ipairs(minute.parts) do
    if part.kind == kind and part.count ~= 0 then reset = math.max(reset, gone_in(minute, part.at)) end
  end
  return math.max(0, max - minute[kind]), reset
end

local function count_in(minute, kind, max, count)
  if max < 0 then return end
  redis.call('HINCRBY', minute.key, kind .. int(minute.second), int(count))
  redis.call('PEXPIRE', minute.key, (MINUTE + 2) * 1000)
  minute[kind] = minute[kind] + count
  minute.parts[#minute.parts + 1] = { kind = kind, at = minute.second, count = count }
end

-- Corrects what was counted at `at` (ms), unless that second is forgotten.
local function correct(key, kind, at, by)
  local field = kind .. int(math.floor(at / 1000))
  if by ~= 0 and redis.call('HEXISTS', key, field) == 1 then redis.call('HINCRBY', key, field, int(by)) end
end

-- Four numbers for the answer: requests left, their reset in ms, tokens left, their reset in ms.
local function add_left(answer, minute, rpm, tpm)
  local r, r_reset = left_of(minute, 'r', rpm)
  local t, t_reset = left_of(minute, 't', tpm)
  for _, value in ipairs({ r, r_reset, t, t_reset }) do answer[#answer + 1] = value end
end

-- Whether one more request may be open. Members are ids of requests by when their hold was last seen; those that ended without
-- their relay (reaped, or repaired away) are found here, at most RECHECK_MOST of them at a time, each once in RECHECK_MS.
local function has_slot(key, max, holds, now)
  if max < 0 or redis.call('ZCARD', key) < max then return true end
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', key, '-inf', int(now - RECHECK_MS), 'LIMIT', 0, RECHECK_MOST)) do
    local hold = hold_of(holds, id)
    if hold and hold.kind == 'open' then redis.call('ZADD', key, int(now), id) else redis.call('ZREM', key, id) end
  end
  return redis.call('ZCARD', key) < max
end
