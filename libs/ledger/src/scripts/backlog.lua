-- Part of reserve, after common.lua. No reserve appends an event, so one look serves all entries of a batch.
local backlogs = {}
local function backlog_of(usage)
  if not backlogs[usage] then backlogs[usage] = redis.call('XLEN', usage) end
  return backlogs[usage]
end
