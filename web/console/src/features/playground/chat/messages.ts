import type { Quota, UnixSeconds } from '@tollgate/contracts/units'

/** One message of a conversation, as it is kept in this browser. */
export type ChatMessage = {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  /** Milliseconds. */
  readonly createAt: number
  readonly content: string
  readonly status?: 'loading' | 'incomplete' | 'complete' | 'error'
  /** Why the answer ended early, where some of it has arrived; else `content` says it. */
  readonly error?: string
  readonly reasoning?: string
  /** Pictures of a question, as data addresses. */
  readonly images?: readonly string[]
  /** Tool calls that the answer requests. */
  readonly calls?: readonly ToolCall[]
  readonly facts?: AnswerFacts
  /** The reader has ended the context here: what is above is not sent again. */
  readonly isBreak?: boolean
}

export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string; readonly result?: string }

export type AnswerFacts = {
  readonly model: string
  readonly request_id?: string
  readonly first_ms?: number
  readonly total_ms?: number
  readonly prompt_tokens?: number
  readonly completion_tokens?: number
  readonly charge?: AnswerCharge
}

/** The log entry of the request: what it cost, and where it is explained. */
export type AnswerCharge = { readonly quota: Quota; readonly id: number; readonly created_at: UnixSeconds }

/** Message of a reader. */
export type Question = { readonly content: string; readonly images: readonly string[] }

/** Lower ids belong to the opening exchange. */
const FIRST_ID = 4

export function openingOf(greeting: string, answer: string): readonly ChatMessage[] {
  return [
    { id: '2', role: 'user', createAt: 0, content: greeting },
    { id: '3', role: 'assistant', createAt: 0, content: answer, status: 'complete' },
  ]
}

export const isOpening = ({ id }: ChatMessage): boolean => Number(id) < FIRST_ID

export function nextId(messages: readonly ChatMessage[]): number {
  return Math.max(FIRST_ID - 1, ...messages.map(({ id }) => Number(id))) + 1
}

type Asked = { readonly model: string; readonly now: number }

/** A question and the place for its answer. */
export function withQuestion(
  messages: readonly ChatMessage[],
  { content, images }: Question,
  { model, now }: Asked,
): readonly ChatMessage[] {
  const id = nextId(messages)
  const question: ChatMessage = { id: String(id), role: 'user', createAt: now, content, ...(images.length === 0 ? {} : { images }) }
  return [...messages, question, waiting(id + 1, model, now)]
}

/** Everything up to a question, which is asked again, perhaps in other words. */
export function askedAgain(
  messages: readonly ChatMessage[],
  id: string,
  { content, ...asked }: Asked & { readonly content?: string },
): readonly ChatMessage[] {
  const at = messages.findIndex((message) => message.id === id)
  const question = messages.slice(0, at + 1).findLast(({ role }) => role === 'user')
  if (question === undefined) return messages
  const before = messages.slice(0, messages.indexOf(question))
  return withQuestion(before, { content: content ?? question.content, images: question.images ?? [] }, asked)
}

/** The results of the tools that the last answer wants, and the place for the next answer. */
export function withResults(messages: readonly ChatMessage[], results: readonly string[], { model, now }: Asked): readonly ChatMessage[] {
  const last = messages.at(-1)
  if (last?.calls === undefined) return messages
  const calls = last.calls.map((call, at) => ({ ...call, result: results[at] ?? '' }))
  return [...replaced(messages, last.id, { calls }), waiting(nextId(messages), model, now)]
}

const waiting = (id: number, model: string, now: number): ChatMessage => ({
  id: String(id),
  role: 'assistant',
  createAt: now,
  content: '',
  status: 'loading',
  facts: { model },
})

export function replaced(messages: readonly ChatMessage[], id: string, change: Partial<ChatMessage>): readonly ChatMessage[] {
  return messages.map((message) => (message.id === id ? { ...message, ...change } : message))
}

/** Toggles the end of the context after the last message. */
export function withBreak(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const last = messages.at(-1)
  return last === undefined ? messages : replaced(messages, last.id, { isBreak: last.isBreak !== true })
}

export type SentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
export type SentCall = {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}
export type SentMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly SentPart[] }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly SentCall[] }
  | { readonly role: 'tool'; readonly content: string; readonly tool_call_id: string }

/** The messages to send for the last question: the system prompt and the messages since the context was cleared, without the opening. */
export function toSent(messages: readonly ChatMessage[], system: string): readonly SentMessage[] {
  const from = messages.findLastIndex(({ isBreak }) => isBreak === true) + 1
  const said = messages
    .slice(from)
    .filter((message) => !isOpening(message) && message.status !== 'error' && message.status !== 'loading')
    .flatMap(sentOf)
  return system.trim() === '' ? said : [{ role: 'system', content: system }, ...said]
}

function sentOf({ role, content, images = [], calls = [] }: ChatMessage): readonly SentMessage[] {
  if (role === 'system') return [{ role, content }]
  if (role === 'user') {
    const parts = images.map((url): SentPart => ({ type: 'image_url', image_url: { url } }))
    if (parts.length > 0) return [{ role, content: content === '' ? parts : [{ type: 'text', text: content }, ...parts] }]
    return content === '' ? [] : [{ role, content }]
  }
  // Vendors refuse a call without its result.
  const answered = calls.filter(({ result }) => result !== undefined)
  if (answered.length === 0) return content === '' ? [] : [{ role, content }]
  const tool_calls = answered.map(({ id, name, arguments: text }): SentCall => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  }))
  return [
    { role, content, tool_calls },
    ...answered.map(({ id, result = '' }): SentMessage => ({ role: 'tool', content: result, tool_call_id: id })),
  ]
}

/** Messages read from storage: only those that have the shape, none of them still running, without the opening of earlier versions. */
export function readStored(value: unknown): readonly ChatMessage[] | undefined {
  if (!Array.isArray(value) || !value.every(isMessage)) return undefined
  return value
    .filter((message) => !isOpening(message))
    .map((message) =>
      message.status === 'loading' || message.status === 'incomplete' ? { ...message, status: 'complete' as const } : message,
    )
}

function isMessage(value: unknown): value is ChatMessage {
  if (typeof value !== 'object' || value === null) return false
  const { id, role, content, images, calls } = value as Partial<Record<string, unknown>> // an object of unknown fields
  return (
    typeof id === 'string' &&
    typeof content === 'string' &&
    (role === 'user' || role === 'assistant' || role === 'system') &&
    (images === undefined || (Array.isArray(images) && images.every((image) => typeof image === 'string'))) &&
    (calls === undefined || (Array.isArray(calls) && calls.every(isCall)))
  )
}

function isCall(value: unknown): value is ToolCall {
  if (typeof value !== 'object' || value === null) return false
  const { id, name, arguments: text } = value as Partial<Record<string, unknown>> // an object of unknown fields
  return typeof id === 'string' && typeof name === 'string' && typeof text === 'string'
}

/** The newest part of a conversation that fits: pictures go first, then the oldest messages. */
export function fitting(messages: readonly ChatMessage[], limit: number): readonly ChatMessage[] {
  if (sizeOf(messages) <= limit) return messages
  let kept: readonly ChatMessage[] = messages.map(({ images: _images, ...message }) => message)
  while (kept.length > 0 && sizeOf(kept) > limit) kept = kept.slice(Math.ceil(kept.length / 8))
  return kept
}

const sizeOf = (messages: readonly ChatMessage[]): number => JSON.stringify(messages).length
