-- Adds one relay's counts to the channels' activity in a period. A field is a comma-separated list of counts, so that a reader gets one
-- short text per channel.
-- KEYS  1 hash channel id → counts
-- ARGV  1 lifetime ms  then pairs: channel id, counts to add
-- Returns  number of channels
local function split(text)
  local all = {}
  for number in string.gmatch(text, '[^,]+') do all[#all + 1] = tonumber(number) or 0 end
  return all
end
local channels = 0
for at = 2, #ARGV, 2 do
  local added = split(ARGV[at + 1])
  local stored = split(redis.call('HGET', KEYS[1], ARGV[at]) or '')
  for index = 1, math.max(#added, #stored) do
    added[index] = string.format('%.0f', (added[index] or 0) + (stored[index] or 0))
  end
  redis.call('HSET', KEYS[1], ARGV[at], table.concat(added, ','))
  channels = channels + 1
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return channels
