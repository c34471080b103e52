import type { SseEvent } from './event.ts'

/** Encodes one event; line ends in the data become separate data lines, so that data cannot inject fields. */
export function encodeSse({ event, data, id, retry, comments }: SseEvent): string {
  const lines: string[] = []
  for (const comment of comments ?? []) lines.push(...toLines(comment).map((line) => `: ${line}`))
  if (event !== undefined) lines.push(`event: ${oneLine(event)}`)
  if (id !== undefined) lines.push(`id: ${oneLine(id).replaceAll('\0', '')}`)
  if (retry !== undefined) lines.push(`retry: ${retry}`)
  if (data !== undefined) lines.push(...toLines(data).map((line) => `data: ${line}`))
  return `${lines.join('\n')}\n\n`
}

/** Keeps an idle connection open; clients ignore it. */
export const SSE_PING = ': PING\n\n'

const toLines = (text: string) => text.split(/\r\n|\n|\r/)
const oneLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ')
