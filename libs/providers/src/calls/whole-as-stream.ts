import { encodeSse } from '../sse/encoder.ts'
import type { JsonObject } from '../json.ts'
import type { Encoded, WholeRead } from './operation.ts'

/** An event whose type is its name. */
export type NamedEvent = JsonObject & { readonly type: string }

type Answer = Extract<WholeRead, { kind: 'answer' }>

/** The events of a whole answer, for a client that asked for a stream which its vendor does not have. */
export function asStream(events: readonly NamedEvent[]): Pick<Answer, 'content_type'> & { readonly bytes: Encoded['body'] } {
  const text = events.map((event) => encodeSse({ event: event.type, data: JSON.stringify(event) })).join('')
  return { bytes: Buffer.from(text), content_type: 'text/event-stream' }
}
