#!lua flags=no-writes
-- One consistent read of a shard, for the verifier.
-- KEYS  1 fence:  2 use:  3 hold:  then w: keys, then t: keys
-- ARGV  1 stream id after which events count as unposted  2 number of w: keys
-- Returns  {epoch or '', n, {wallets: {credited, spent, held, version} or ''}, {tokens: {granted, charged, held, version} or ''},
--           {unposted: n, user, token, charge, token_charge, budgets flat}, {holds: id, text flat},
--           {counters of budgets: key, field, value flat}}
local fence = redis.call('HMGET', KEYS[1], 'epoch', 'n')
local wallets, tokens, unposted, budgets = {}, {}, {}, {}
local count = tonumber(ARGV[2])
for i = 4, #KEYS do
  local names = i < 4 + count and { 'credited', 'spent', 'held', 'version' } or { 'granted', 'charged', 'held', 'version' }
  local found = redis.call('HMGET', KEYS[i], unpack(names))
  local into = i < 4 + count and wallets or tokens
  into[#into + 1] = found[1] and found or ''
  local fields = found[1] and redis.call('HGETALL', KEYS[i]) or {}
  for at = 1, #fields, 2 do
    if string.find(fields[at], '^b[sbh]%d') then
      local n = #budgets
      budgets[n + 1], budgets[n + 2], budgets[n + 3] = KEYS[i], fields[at], fields[at + 1]
    end
  end
end
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '(' .. ARGV[1], '+')) do
  local field = {}
  for i = 1, #entry[2], 2 do field[entry[2][i]] = entry[2][i + 1] end
  for _, name in ipairs({ 'n', 'user', 'token', 'charge', 'token_charge', 'budgets' }) do unposted[#unposted + 1] = field[name] or '' end
end
return { fence[1] or '', fence[2] or '0', wallets, tokens, unposted, redis.call('HGETALL', KEYS[3]), budgets }
