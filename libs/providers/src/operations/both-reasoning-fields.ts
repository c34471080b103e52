import type { Translator } from '../calls/operation.ts'
import { OTHER_FIELD, readReasoning, REASONING_FIELD } from '../chat/formats/openai-chat/reasoning-field.ts'
import { isObject, objectsAt, parseJsonObject, type JsonObject } from '../json.ts'
import { parseEvent } from '../sse/event.ts'
import { RewrittenStream, rewriteEvents } from './rewritten-stream.ts'

/** A translator of chat completions whose answers have their reasoning in both fields; what has no reasoning keeps its bytes. */
export function withBothReasoningFields(translator: Translator): Translator {
  return {
    ...translator,
    openStream: () => new RewrittenStream(translator.openStream(), completeEvent),
    readWhole: (given, content_type) => {
      const read = translator.readWhole(given, content_type)
      if (read.kind === 'failed') return read
      const complete = read.content_type === 'application/json' ? completeBody : completeEvents
      const { bytes, withUsage } = read
      return { ...read, bytes: complete(bytes), ...(withUsage === undefined ? {} : { withUsage: (usage) => complete(withUsage(usage)) }) }
    },
  }
}

function completeBody(bytes: Buffer): Buffer {
  const body = mayReason(bytes) ? parseJsonObject(bytes.toString()) : undefined
  return body === undefined ? bytes : Buffer.from(JSON.stringify(completed(body)))
}

const QUOTED = [REASONING_FIELD, OTHER_FIELD].map((field) => Buffer.from(JSON.stringify(field)))

const mayReason = (bytes: Buffer): boolean => QUOTED.some((field) => bytes.includes(field))

const completeEvents = (bytes: Buffer): Buffer => rewriteEvents(bytes, completeEvent)

function completeEvent(event: Buffer): Buffer {
  const data = mayReason(event) ? parseEvent(event.toString())?.data : undefined
  const body = data === undefined ? undefined : parseJsonObject(data)
  return body === undefined ? event : Buffer.from(`data: ${JSON.stringify(completed(body))}\n\n`)
}

function completed(body: JsonObject): JsonObject {
  const choices = objectsAt(body, 'choices').map((choice) => ({
    ...choice,
    ...(isObject(choice['message']) ? { message: withBoth(choice['message']) } : {}),
    ...(isObject(choice['delta']) ? { delta: withBoth(choice['delta']) } : {}),
  }))
  return { ...body, choices }
}

function withBoth(message: JsonObject): JsonObject {
  const reasoning = readReasoning(message)
  return reasoning === undefined ? message : { ...message, [REASONING_FIELD]: reasoning, [OTHER_FIELD]: reasoning }
}
