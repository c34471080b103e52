import type { ApiFormat } from '../calls/api-format.ts'
import { isObject, listAt, type JsonObject } from '../json.ts'

/** Treatment of a system message after the first one: it joins that one, or is the user's text at its place in a later turn. */
export type SystemPlace = 'first' | 'user'

/** The channel's setting `system_messages`; `keep` leaves messages where they are. */
export function systemPlaceOf(setting: unknown, own: SystemPlace | undefined): SystemPlace | undefined {
  if (setting === 'first' || setting === 'user') return setting
  return setting === 'keep' ? undefined : own
}

/**
 * The body without system messages after the first turn, and with one before it where they join; chat templates of many services refuse
 * more. The same object if there are none. Their form in Anthropic's format: https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
 */
export function withSystemPlaced(format: ApiFormat, place: SystemPlace | undefined, body: JsonObject): JsonObject {
  if (place === undefined || (format !== 'openai-chat' && format !== 'anthropic-messages')) return body
  const messages = listAt(body, 'messages')
  const turn = format === 'openai-chat' ? messages.findIndex((message) => !isSystem(message)) : 0
  const from = turn === -1 ? messages.length : turn
  const leading = messages.slice(0, from)
  const later = messages.slice(from).filter(isSystem)
  // Templates that refuse a later system message refuse a second one at the beginning as well.
  if (later.length === 0 && (place === 'user' || leading.length < 2)) return body
  if (place === 'user') {
    const turns = messages.slice(from).map((message) => (isSystem(message) ? { ...message, role: 'user' } : message))
    return { ...body, messages: [...leading, ...turns] }
  }
  const rest = messages.slice(from).filter((message) => !isSystem(message))
  if (format === 'anthropic-messages') {
    const system = joined([body['system'], ...later.map(({ content }) => content)])
    return { ...body, system, messages: rest }
  }
  const content = joined([...leading, ...later].map((message) => (isObject(message) ? message['content'] : undefined)))
  return { ...body, messages: [{ role: 'system', content }, ...rest] }
}

const isSystem = (message: unknown): message is JsonObject =>
  isObject(message) && (message['role'] === 'system' || message['role'] === 'developer')

/** Contents, each a text or a list of parts, as one. */
function joined(contents: readonly unknown[]): string | readonly unknown[] {
  const given = contents.filter((content) => content !== undefined && content !== null && content !== '')
  if (given.every((content) => typeof content === 'string')) return given.join('\n\n')
  return given.flatMap((content): readonly unknown[] =>
    Array.isArray(content) ? content : typeof content === 'string' ? [{ type: 'text', text: content }] : [],
  )
}
