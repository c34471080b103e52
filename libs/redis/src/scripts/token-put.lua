-- Caches a token record unless a newer one is stored: a slow lookup must not undo a change.
-- KEYS  1 tok:
-- ARGV  1 record (JSON)  2 its token_auth  3 its user_auth  4 seconds to live
-- Returns  1 (written) | 0 (a newer record is stored)
local text = redis.call('GET', KEYS[1])
if text then
  local isJson, known = pcall(cjson.decode, text)
  if isJson and type(known) == 'table' then
    if (tonumber(known.token_auth) or 0) > tonumber(ARGV[2]) or (tonumber(known.user_auth) or 0) > tonumber(ARGV[3]) then return 0 end
  end
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[4])
return 1
