import type { Translator } from '../calls/operation.ts'
import { changeAnswer, changeEvent } from '../chat/formats/openai-chat/change-messages.ts'
import { OTHER_FIELD, readReasoning, REASONING_FIELD } from '../chat/formats/openai-chat/reasoning-field.ts'
import type { JsonObject } from '../json.ts'
import { RewrittenStream, rewriteEvents } from './rewritten-stream.ts'

/** A translator of chat completions whose answers have their reasoning in both fields; what has no reasoning keeps its bytes. */
export function withBothReasoningFields(translator: Translator): Translator {
  return {
    ...translator,
    openStream: () => new RewrittenStream(translator.openStream(), completeEvent),
    readWhole: (given, content_type) => {
      const read = translator.readWhole(given, content_type)
      if (read.kind === 'failed') return read
      const complete = read.content_type === 'application/json' ? completeAnswer : completeEvents
      const { bytes, withUsage } = read
      return { ...read, bytes: complete(bytes), ...(withUsage === undefined ? {} : { withUsage: (usage) => complete(withUsage(usage)) }) }
    },
  }
}

const QUOTED = [REASONING_FIELD, OTHER_FIELD].map((field) => Buffer.from(JSON.stringify(field)))

const mayReason = (bytes: Buffer): boolean => QUOTED.some((field) => bytes.includes(field))
const completeAnswer = (bytes: Buffer): Buffer => (mayReason(bytes) ? changeAnswer(bytes, withBoth) : bytes)
const completeEvent = (event: Buffer): Buffer => (mayReason(event) ? changeEvent(event, withBoth) : event)
const completeEvents = (bytes: Buffer): Buffer => rewriteEvents(bytes, completeEvent)

function withBoth(message: JsonObject): JsonObject {
  const reasoning = readReasoning(message)
  return reasoning === undefined ? message : { ...message, [REASONING_FIELD]: reasoning, [OTHER_FIELD]: reasoning }
}
