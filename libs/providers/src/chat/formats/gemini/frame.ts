import type { StreamFrame } from '../../codec.ts'

/**
 * A stream is an event stream (`alt=sse`) or, without that parameter, one JSON array.
 * https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
export function frameChunk(frame: StreamFrame, json: string, isFirst: boolean): string {
  return frame === 'sse' ? `data: ${json}\r\n\r\n` : `${separator(isFirst)}${json}\n`
}

/** The separator before an entry of the array. */
export const separator = (isFirst: boolean): string => (isFirst ? '[' : ',\r\n')

/** End of a stream after its last chunk. */
export const frameEnd = (frame: StreamFrame): string => (frame === 'sse' ? '' : ']')
