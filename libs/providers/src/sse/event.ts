/** One dispatched event. `data` is absent for a block without data (a comment, a lone `retry`). */
export type SseEvent = {
  readonly event?: string
  readonly data?: string
  readonly id?: string
  readonly retry?: number
  readonly comments?: readonly string[]
}

type Draft = { event?: string; data?: string; id?: string; retry?: number; comments?: string[] }

/** Parses the text of one block, up to its empty line. `undefined` if it has no fields. */
export function parseEvent(block: string): SseEvent | undefined {
  return parsePlain(block) ?? parseLines(block)
}

/** Fast path for most events: an optional name and one line of data. `undefined`: another form. */
function parsePlain(block: string): SseEvent | undefined {
  const isNamed = block.startsWith('event: ')
  const start = isNamed ? block.indexOf('\n') + 1 : 0
  if (!block.startsWith('data: ', start)) return undefined
  const hasCr = block.endsWith('\r\n\r\n')
  const end = block.length - (hasCr ? 4 : 2)
  const isOneLine = block.indexOf('\n', start) === (hasCr ? end + 1 : end) && block.indexOf('\r') === (hasCr ? end : -1)
  if (!isOneLine || !block.endsWith('\n')) return undefined
  const data = block.slice(start + 'data: '.length, end)
  return isNamed ? { event: block.slice('event: '.length, start - 1), data } : { data }
}

function parseLines(block: string): SseEvent | undefined {
  const draft: Draft = {}
  for (const line of block.split(/\r\n|\n|\r/)) addLine(draft, line)
  return Object.keys(draft).length === 0 ? undefined : draft
}

function addLine(draft: Draft, line: string): void {
  if (line === '') return
  const colon = line.indexOf(':')
  const field = colon === -1 ? line : line.slice(0, colon)
  const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
  if (colon === 0) (draft.comments ??= []).push(value)
  else if (field === 'data') draft.data = draft.data === undefined ? value : `${draft.data}\n${value}`
  else if (field === 'event') draft.event = value
  else if (field === 'id' && !value.includes('\0')) draft.id = value
  else if (field === 'retry' && /^\d+$/.test(value)) draft.retry = Number(value)
}
