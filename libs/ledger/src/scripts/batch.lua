-- Runs the entries of a batch, each with KEYS and ARGV of its own. Follows reserve and settle, whose text is the function `run`.
-- KEYS  of the entries, one after the other
-- ARGV  for each entry: the number of its KEYS, the number of its ARGV, its ARGV
-- Returns  the answers in this order; {'failed', message} for an entry that raised an error, which leaves the others as they are
local answers, key, arg = {}, 1, 1
while arg < #ARGV do
  local key_count, arg_count = tonumber(ARGV[arg]), tonumber(ARGV[arg + 1])
  local is_done, answer = pcall(
    run, { unpack(KEYS, key, key + key_count - 1) }, { unpack(ARGV, arg + 2, arg + 1 + arg_count) }
  )
  answers[#answers + 1] = is_done and answer or { 'failed', type(answer) == 'table' and answer.err or answer }
  key, arg = key + key_count, arg + 2 + arg_count
end
return answers
