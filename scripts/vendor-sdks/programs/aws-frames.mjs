// AWS' event streams, written by AWS' own codec.
import { EventStreamCodec } from '@smithy/core/event-streams'

const toUtf8 = (bytes) => Buffer.from(bytes).toString('utf8')
const fromUtf8 = (text) => Buffer.from(text, 'utf8')
const codec = new EventStreamCodec(toUtf8, fromUtf8)
const text = (value) => ({ type: 'string', value })

/** Each event is its type and its JSON. */
export const eventFrames = (events) => ({
  type: 'application/vnd.amazon.eventstream',
  isBase64: true,
  body: Buffer.concat(
    events.map(([type, body]) =>
      codec.encode({
        headers: { ':message-type': text('event'), ':event-type': text(type), ':content-type': text('application/json') },
        body: fromUtf8(JSON.stringify(body)),
      }),
    ),
  ).toString('base64'),
})
