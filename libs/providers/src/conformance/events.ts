import { SseDecoder } from '../sse/decoder.ts'

/** Tests only: an event stream as one line for each event, for golden files. */
export function listEvents(bytes: Buffer): string[] {
  const decoder = new SseDecoder()
  return [...decoder.push(bytes), ...decoder.end()].map(({ event, data }) =>
    event === undefined ? (data ?? '') : `${event} ${data ?? ''}`,
  )
}
