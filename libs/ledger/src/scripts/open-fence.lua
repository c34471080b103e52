#!lua
-- Opens the fence of a shard that recovery has checked or repaired. The epoch is Redis TIME, so that it rises even if Redis was
-- emptied. Numbers and stream ids continue past what was posted, even if this store has older ones.
-- KEYS  1 fence:  2 use:
-- ARGV  1 posted n  2 posted stream id  3 mark of the store (store-mark.ts)  4 SHA-1 of the reserve script
-- Returns  {'opened', epoch, n}
local fence, usage = KEYS[1], KEYS[2]
local found = redis.call('HMGET', fence, 'epoch', 'n')
local now = now_ms()
local epoch = math.max(tonumber(found[1] or '0') + 1, now)
local n = math.max(tonumber(found[2] or '0'), tonumber(ARGV[1]))

local function parts(id)
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(seq)
end
local function is_before(a, b)
  local a_ms, a_seq = parts(a)
  local b_ms, b_seq = parts(b)
  return a_ms < b_ms or (a_ms == b_ms and a_seq < b_seq)
end
local posted_id = ARGV[2]
if posted_id ~= '0-0' then
  if redis.call('EXISTS', usage) == 0 then
    redis.call('XADD', usage, posted_id, 'made', '1')
    redis.call('XDEL', usage, posted_id)
  else
    local info, last = redis.call('XINFO', 'STREAM', usage), '0-0'
    for i = 1, #info, 2 do if info[i] == 'last-generated-id' then last = info[i + 1] end end
    if is_before(last, posted_id) then redis.call('XSETID', usage, posted_id) end
  end
end

-- opened: loads refuse data that was read before it. restored: the n that events continue from. posted: what Postgres has posted.
-- store: on which server; another one, or the same one promoted again, is compared first. script: of the version that opened.
redis.call('HSET', fence, 'epoch', int(epoch), 'n', int(n), 'opened', int(now), 'restored', int(n), 'posted', ARGV[1],
  'store', ARGV[3], 'script', ARGV[4])
redis.call('HDEL', fence, 'closed')
return { 'opened', epoch, n }
