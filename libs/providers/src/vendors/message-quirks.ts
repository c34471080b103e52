import { sha256 } from '../chat/sha256.ts'
import { isObject, listAt, objectsAt, type JsonObject } from '../json.ts'

/** Rules of a vendor of OpenAI's chat format for messages, beyond their roles. */
export type MessageQuirks = {
  /** Fields of messages that the vendor refuses. */
  readonly dropOfMessages?: readonly string[]
  /** Ids of tool calls have exactly this many letters and digits; others are replaced by their hash, in calls and results alike. */
  readonly callIdLength?: number
  /** Fields that the last message must carry if it is the beginning of the answer. */
  readonly prefill?: JsonObject
}

/** Messages as the vendor accepts them; the same list if nothing changes. */
export function withMessageQuirks(messages: readonly unknown[], quirks: MessageQuirks): readonly unknown[] {
  const { dropOfMessages = [], callIdLength, prefill } = quirks
  let hasChanged = false
  const changed = messages.map((message, index) => {
    if (!isObject(message)) return message
    let own = message
    if (dropOfMessages.some((name) => name in own)) own = without(own, dropOfMessages)
    if (callIdLength !== undefined) own = withIds(own, callIdLength)
    if (prefill !== undefined && index === messages.length - 1 && isPrefill(own)) own = { ...own, ...prefill }
    hasChanged ||= own !== message
    return own
  })
  return hasChanged ? changed : messages
}

const without = (message: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !names.includes(name)))

const isPrefill = (message: JsonObject) => message['role'] === 'assistant' && listAt(message, 'tool_calls').length === 0

function withIds(message: JsonObject, length: number): JsonObject {
  const { tool_call_id } = message
  const calls = objectsAt(message, 'tool_calls')
  const isOther = (id: unknown) => typeof id === 'string' && !isId(id, length)
  if (!isOther(tool_call_id) && !calls.some(({ id }) => isOther(id))) return message
  return {
    ...message,
    ...(isOther(tool_call_id) ? { tool_call_id: toId(String(tool_call_id), length) } : {}),
    ...(calls.length === 0
      ? {}
      : { tool_calls: calls.map((call) => (isOther(call['id']) ? { ...call, id: toId(String(call['id']), length) } : call)) }),
  }
}

const isId = (id: string, length: number) => id.length === length && /^[a-zA-Z0-9]+$/.test(id)
const toId = (id: string, length: number) => sha256(id).slice(0, length)
