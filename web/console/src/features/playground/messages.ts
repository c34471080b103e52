/** One message of a conversation, as it is kept in this browser. */
export type ChatMessage = {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  /** Milliseconds. */
  readonly createAt: number
  readonly content: string
  readonly status?: 'loading' | 'incomplete' | 'complete' | 'error'
  readonly reasoning?: string
  readonly facts?: AnswerFacts
  /** The reader has ended the context here: what is above is not sent again. */
  readonly isBreak?: boolean
}

export type AnswerFacts = {
  readonly model: string
  readonly request_id?: string
  readonly first_ms?: number
  readonly total_ms?: number
  readonly prompt_tokens?: number
  readonly completion_tokens?: number
}

/** Lower ids belong to the opening exchange. */
const FIRST_ID = 4

export function openingOf(greeting: string, answer: string): readonly ChatMessage[] {
  return [
    { id: '2', role: 'user', createAt: 0, content: greeting },
    { id: '3', role: 'assistant', createAt: 0, content: answer, status: 'complete' },
  ]
}

export function nextId(messages: readonly ChatMessage[]): number {
  return Math.max(FIRST_ID - 1, ...messages.map(({ id }) => Number(id))) + 1
}

/** A question and the place for its answer. */
export function withQuestion(messages: readonly ChatMessage[], content: string, model: string, now: number): readonly ChatMessage[] {
  const id = nextId(messages)
  return [...messages, { id: String(id), role: 'user', createAt: now, content }, waiting(id + 1, model, now)]
}

/** Everything up to a question, which is asked again, perhaps in other words. */
export function askedAgain(
  messages: readonly ChatMessage[],
  id: string,
  { content, model, now }: { readonly content?: string; readonly model: string; readonly now: number },
): readonly ChatMessage[] {
  const at = messages.findIndex((message) => message.id === id)
  const question = messages.slice(0, at + 1).findLast(({ role }) => role === 'user')
  if (question === undefined) return messages
  const before = messages.slice(0, messages.indexOf(question))
  return withQuestion(before, content ?? question.content, model, now)
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

export type SentMessage = { readonly role: ChatMessage['role']; readonly content: string }

/** What is sent for the last question: the system prompt and what was said since the context was cleared. The opening is not sent. */
export function toSent(messages: readonly ChatMessage[], system: string): readonly SentMessage[] {
  const from = messages.findLastIndex(({ isBreak }) => isBreak === true) + 1
  const said = messages
    .slice(from)
    .filter(({ id, status, content }) => Number(id) >= FIRST_ID && status !== 'error' && status !== 'loading' && content !== '')
    .map(({ role, content }) => ({ role, content }))
  return system.trim() === '' ? said : [{ role: 'system', content: system }, ...said]
}

/** What was read from storage: only messages that have the shape, none of them still running. */
export function readStored(value: unknown): readonly ChatMessage[] | undefined {
  if (!Array.isArray(value) || !value.every(isMessage)) return undefined
  return value.map((message) =>
    message.status === 'loading' || message.status === 'incomplete' ? { ...message, status: 'complete' as const } : message,
  )
}

function isMessage(value: unknown): value is ChatMessage {
  if (typeof value !== 'object' || value === null) return false
  const { id, role, content } = value as Partial<Record<string, unknown>> // an object of unknown fields
  return typeof id === 'string' && typeof content === 'string' && (role === 'user' || role === 'assistant' || role === 'system')
}
