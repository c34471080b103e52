import type { ModelEvent } from '@tollgate/providers/chat/events'
import { MAX_MESSAGES, OutputMessages, toInputMessages } from '@tollgate/providers/chat/gen-ai-messages'
import type { RelayDeps } from '../deps.ts'
import type { ContentRecording } from '../request/content-recording.ts'
import type { Held } from '../request/phases.ts'

/** Text of a session for the traces of its responses: each has what was said since the one before. Sound is not kept. */
export class SessionRecording {
  readonly #observer: RelayDeps['observer']
  readonly #answers = new Map<string, OutputMessages>()
  #heard: string[] = []

  constructor({ observer }: Pick<RelayDeps, 'observer'>) {
    this.#observer = observer
  }

  /** Texts of the client, or what it was understood to say. The newest ones that fill an attribute are kept. */
  hear(texts: readonly string[]): void {
    for (const text of texts) if (text !== '') this.#heard.push(text.slice(0, MAX_MESSAGES))
    let size = this.#heard.reduce((sum, text) => sum + text.length, 0)
    while (size > MAX_HEARD) size -= this.#heard.shift()?.length ?? size
  }

  /** A part of the answer with this id. */
  answer(id: string, events: readonly ModelEvent[]): void {
    const answer = this.#answers.get(id) ?? new OutputMessages()
    if (this.#answers.size < MAX_ANSWERS) this.#answers.set(id, answer)
    for (const event of events) answer.push(event)
  }

  /** The recording of a response that ends, for its trace; the rest is of the next one. */
  take(id: string, held: Held): ContentRecording | undefined {
    const output = this.#answers.get(id)?.end()
    const parts = this.#heard.map((text) => ({ kind: 'text', text }) as const)
    this.#answers.delete(id)
    this.#heard = []
    // The token, and with it what its owner allows, is read again for each response.
    if (!this.#observer.recordsContent(held)) return undefined
    const input = parts.length === 0 ? undefined : toInputMessages({ messages: [{ role: 'user', parts }] })
    return { readPrompt: () => undefined, end: () => Promise.resolve({ input, output }) }
  }
}

const MAX_HEARD = 2 * MAX_MESSAGES
/** Responses of a session that run at the same time. */
const MAX_ANSWERS = 16

/** Undefined: the site or the token does not allow it when the session begins. */
export const startSessionRecording = (held: Held, deps: Pick<RelayDeps, 'observer'>): SessionRecording | undefined =>
  deps.observer.recordsContent(held) ? new SessionRecording(deps) : undefined
