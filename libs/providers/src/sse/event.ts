/** One dispatched event. `data` is absent for a block that carried none (a comment, a lone `retry`). */
export type SseEvent = {
  readonly event?: string
  readonly data?: string
  readonly id?: string
  readonly retry?: number
  readonly comments?: readonly string[]
}

type Draft = { event?: string; data?: string; id?: string; retry?: number; comments?: string[] }

/** Reads the text of one block: lines up to and without its empty line. `undefined` when it says nothing at all. */
export function parseEvent(block: string): SseEvent | undefined {
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
