type Part = readonly [stored: RegExp, english: string]

/** The parts of the sentence that the log stores for a charge, as the worker writes them. */
const PARTS: readonly Part[] = [
  [/^模型倍率 ([\d.]+)$/u, 'model $1'],
  [/^补全倍率 ([\d.]+)$/u, 'completion $1'],
  [/^音频倍率 ([\d.]+)$/u, 'audio $1'],
  [/^音频补全倍率 ([\d.]+)$/u, 'audio completion $1'],
  [/^分组倍率 ([\d.]+)$/u, 'group $1'],
  [/^模型价格 ([\d.]+)$/u, 'model price $1'],
  [/^模型固定价格 ([\d.]+)$/u, 'fixed price $1'],
  [/^操作 (.+)$/u, 'action $1'],
  [/^大小 ([^,]*), 品质 (.*)$/u, 'size $1, quality $2'],
  [/^(.+) 调用 (\d+) 次$/u, '$1 calls: $2'],
  [/^上下文大小 (.+)$/u, 'context size $1'],
  [/^调用花费 (-?[\d.]+)$/u, 'cost $1'],
]

/** Follows the price of a request for which nothing was counted. */
const NOTE = '（可能是上游超时）'

/** The stored price of a request in the reader's language, with the numbers as stored. Texts with a part of another form stay as stored. */
export function priceText(content: string, language: string): string {
  if (language === 'zh') return content
  const isNoted = content.endsWith(NOTE)
  const parts = (isNoted ? content.slice(0, -NOTE.length) : content).split('\uFF0C').map((part) => {
    const known = PARTS.find(([stored]) => stored.test(part))
    return known === undefined ? undefined : part.replace(...known)
  })
  if (parts.includes(undefined)) return content
  const text = parts.join(', ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${isNoted ? ' (perhaps upstream timed out)' : ''}`
}
