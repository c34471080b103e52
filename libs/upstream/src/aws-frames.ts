import { EventStreamCodec } from '@smithy/core/event-streams'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { AnswerStream, StreamFacts } from '@tollgate/providers/chat/stream'
import { isObject, textAt } from '@tollgate/providers/json'

/** Upper bound of a message; AWS documents a smaller limit: https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html */
const MAX_FRAME = 24 * 1024 * 1024
const PRELUDE = 4
const NOTHING = Buffer.alloc(0)
const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
)

/**
 * Unwraps AWS event stream frames: each frame's event is passed to `stream` as the server-sent event that the model's own vendor would
 * send. An exception frame becomes an error event.
 */
export function unwrapAwsFrames(stream: AnswerStream): AnswerStream {
  return new UnframedStream(stream)
}

class UnframedStream implements AnswerStream {
  readonly #stream: AnswerStream
  #held: Buffer = NOTHING

  constructor(stream: AnswerStream) {
    this.#stream = stream
  }

  get facts(): StreamFacts {
    return this.#stream.facts
  }

  get isDone(): boolean {
    return this.#stream.isDone
  }

  get hasOpening(): boolean {
    return this.#stream.hasOpening === true
  }

  get answer(): AnswerStream['answer'] {
    return this.#stream.answer
  }

  get warnings(): readonly string[] {
    return this.#stream.warnings ?? []
  }

  push(chunk: Buffer): Buffer {
    let held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    let events = ''
    for (let size = sizeOf(held); size !== undefined && held.length >= size; size = sizeOf(held)) {
      events += readFrame(held.subarray(0, size))
      held = held.subarray(size)
    }
    this.#held = Buffer.from(held)
    return events === '' ? NOTHING : this.#stream.push(Buffer.from(events))
  }

  keepAlive(): string | undefined {
    return this.#stream.keepAlive?.()
  }

  renderError(error: Parameters<NonNullable<AnswerStream['renderError']>>[0]): string | undefined {
    return this.#stream.renderError?.(error)
  }

  close(): ReturnType<AnswerStream['close']> {
    return this.#stream.close()
  }

  closing(usage: Usage): Buffer {
    return this.#stream.closing(usage)
  }
}

function sizeOf(bytes: Buffer): number | undefined {
  if (bytes.length < PRELUDE) return undefined
  const size = bytes.readUInt32BE(0)
  // An impossible size is decoded at once, so that the codec rejects it.
  return size > MAX_FRAME ? bytes.length : size
}

/** The only event of InvokeModel, which wraps those of the model; Converse's events are its own. */
const CHUNK = 'chunk'

function readFrame(frame: Buffer): string {
  try {
    const { headers, body } = codec.decode(frame)
    const kind = String(headers[':message-type']?.value ?? 'event')
    const stated = (name: string) => String(headers[name]?.value ?? '')
    // Error of the service itself, outside of the model's events: https://smithy.io/2.0/aws/amazon-eventstream.html
    if (kind === 'error') return errorEvent(stated(':error-code'), stated(':error-message'))
    const parsed: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    if (kind !== 'event') return errorEvent(String(headers[':exception-type']?.value ?? 'api_error'), textAt(parsed, 'message') ?? kind)
    const inner = textAt(parsed, 'bytes')
    if (inner !== undefined) return toEvent(Buffer.from(inner, 'base64').toString('utf8'))
    const event = String(headers[':event-type']?.value ?? CHUNK)
    return event === CHUNK ? '' : `event: ${event}\ndata: ${JSON.stringify(parsed)}\n\n`
  } catch {
    // The checksum does not match: nothing in the frame can be trusted.
    return errorEvent('api_error', 'upstream sent a broken frame')
  }
}

function toEvent(data: string): string {
  const parsed: unknown = JSON.parse(data)
  const type = isObject(parsed) ? textAt(parsed, 'type') : undefined
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ResponseStream.html */
const TYPES: Readonly<Record<string, string>> = {
  throttlingException: 'rate_limit_error',
  serviceUnavailableException: 'overloaded_error',
  validationException: 'invalid_request_error',
  modelTimeoutException: 'timeout_error',
}

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

function errorEvent(exception: string, message: string): string {
  return `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: TYPES[lowerFirst(exception)] ?? 'api_error', message } })}\n\n`
}
