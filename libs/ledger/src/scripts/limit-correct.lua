-- Corrects the counters of a minute. Part of settle and limit-release, after common.lua.

-- Adds to the counters of the second of `at` (ms) and to their sums (limit-window.lua), unless that second was removed.
local function correct(key, at, requests, tokens)
  local second = math.floor(at / 1000)
  local names, by = { 'r' .. second, 't' .. second, 'R0', 'T0' }, { requests, tokens, requests, tokens }
  local found, changed = redis.call('HMGET', key, unpack(names)), {}
  for i = 1, 4 do
    -- A sum is changed only with its counter.
    local counter = i > 2 and i - 2 or i
    if by[i] ~= 0 and found[counter] and found[i] then
      changed[#changed + 1] = names[i]
      changed[#changed + 1] = int(found[i] + by[i])
    end
  end
  if #changed > 0 then redis.call('HSET', key, unpack(changed)) end
end
