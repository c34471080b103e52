import { ask } from './ask.ts'
import { findCharge } from './charge.ts'
import { askedAgain, replaced, withBreak, withQuestion, withResults, type ChatMessage, type Question } from './messages.ts'
import type { PlaygroundSettings } from '../settings/settings.ts'

export type ChatState = { readonly messages: readonly ChatMessage[]; readonly isRunning: boolean }

/** One conversation: what was said, and the answer that is arriving. It changes several times a second, so it lives outside of React. */
export class ChatSession {
  #state: ChatState
  #running: AbortController | undefined
  #charges = new AbortController()
  readonly #listeners = new Set<() => void>()
  readonly #keep: (messages: readonly ChatMessage[]) => void

  /** `keep` gets the messages whenever nothing is arriving. */
  constructor(messages: readonly ChatMessage[], keep: (messages: readonly ChatMessage[]) => void) {
    this.#state = { messages, isRunning: false }
    this.#keep = keep
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly state = (): ChatState => this.#state

  send(question: Question, settings: PlaygroundSettings): void {
    this.#start(withQuestion(this.#state.messages, question, { model: settings.model, now: Date.now() }), settings)
  }

  askAgain(id: string, settings: PlaygroundSettings, content?: string): void {
    const asked = { model: settings.model, now: Date.now(), ...(content === undefined ? {} : { content }) }
    this.#start(askedAgain(this.#state.messages, id, asked), settings)
  }

  sendResults(results: readonly string[], settings: PlaygroundSettings): void {
    this.#start(withResults(this.#state.messages, results, { model: settings.model, now: Date.now() }), settings)
  }

  stop(): void {
    this.#running?.abort()
  }

  toggleBreak(): void {
    this.#set({ messages: withBreak(this.#state.messages) })
  }

  reset(): void {
    this.stop()
    this.#charges.abort()
    this.#charges = new AbortController()
    this.#set({ messages: [] })
  }

  /** Ends what is under way: the page is left. */
  close(): void {
    this.stop()
    this.#charges.abort()
    this.#charges = new AbortController()
  }

  #start(messages: readonly ChatMessage[], settings: PlaygroundSettings): void {
    const answer = messages.at(-1)
    if (answer?.status !== 'loading' || this.#running !== undefined) return
    const control = new AbortController()
    this.#running = control
    this.#set({ messages, isRunning: true })
    const update = (change: Partial<ChatMessage>): void => this.#set({ messages: replaced(this.#state.messages, answer.id, change) })
    void ask({ messages, settings, signal: control.signal, update }).finally(() => {
      this.#running = undefined
      this.#set({ isRunning: false })
      void this.#addCharge(answer.id)
    })
  }

  async #addCharge(id: string): Promise<void> {
    const facts = this.#state.messages.find((message) => message.id === id)?.facts
    if (facts?.request_id === undefined) return
    const charge = await findCharge(facts.request_id, this.#charges.signal)
    const current = this.#state.messages.find((message) => message.id === id)?.facts
    if (charge === undefined || current?.request_id !== facts.request_id) return
    this.#set({ messages: replaced(this.#state.messages, id, { facts: { ...current, charge } }) })
  }

  #set(change: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...change }
    if (!this.#state.isRunning) this.#keep(this.#state.messages)
    for (const listener of this.#listeners) listener()
  }
}
