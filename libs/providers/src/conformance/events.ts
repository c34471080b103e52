import { SseDecoder } from '../sse/decoder.ts'

/** Tests only: an event stream as one line per event, for snapshots. */
export function listEvents(bytes: Buffer): string[] {
  const decoder = new SseDecoder()
  return [...decoder.push(bytes), ...decoder.end()].map(({ event, data }) =>
    event === undefined ? (data ?? '') : `${event} ${data ?? ''}`,
  )
}
