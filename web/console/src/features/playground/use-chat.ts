import { useEffect, useRef, useState } from 'react'
import type { StoredUser } from '../../lib/storage.ts'
import { useUser } from '../../lib/session.ts'
import { storage } from '../../lib/storage.ts'
import { askModel } from './api.ts'
import { askedAgain, readStored, replaced, toSent, withBreak, withQuestion, type AnswerFacts, type ChatMessage } from './messages.ts'
import { errorText, readStream } from './read-stream.ts'
import { countOf, type PlaygroundSettings } from './settings.ts'

const RECONNECT_AFTER_MS = 3_000
const MAX_RECONNECTS = 3
/** Of local storage, which holds about five million characters for everything. */
const MAX_STORED = 1_000_000

export type Chat = {
  readonly messages: readonly ChatMessage[]
  readonly isRunning: boolean
  readonly send: (content: string) => void
  readonly askAgain: (id: string, content?: string) => void
  readonly stop: () => void
  readonly toggleBreak: () => void
  readonly reset: () => void
}

/** The conversation: what was said, and the answer that is arriving. It is kept in this browser. */
export function useChat(settings: PlaygroundSettings, opening: readonly ChatMessage[]): Chat {
  const user = useUser()
  const [messages, setMessages] = useState<readonly ChatMessage[]>(() => stored(user) ?? opening)
  const running = useRef<AbortController | undefined>(undefined)
  const [isRunning, setRunning] = useState(false)
  useEffect(() => () => running.current?.abort(), [])
  useEffect(() => (isRunning ? undefined : store(user, messages)), [isRunning, messages, user])

  const start = (next: readonly ChatMessage[]): void => {
    const answer = next.at(-1)
    if (answer?.status !== 'loading' || running.current !== undefined) return
    const control = new AbortController()
    running.current = control
    setRunning(true)
    setMessages(next)
    const update = (change: Partial<ChatMessage>): void => setMessages((before) => replaced(before, answer.id, change))
    void ask(next, settings, { signal: control.signal, update, model: settings.model }).finally(() => {
      running.current = undefined
      setRunning(false)
    })
  }
  const at = (): { readonly model: string; readonly now: number } => ({ model: settings.model, now: Date.now() })
  return {
    messages,
    isRunning,
    send: (content) => start(withQuestion(messages, content, settings.model, Date.now())),
    askAgain: (id, content) => start(askedAgain(messages, id, content === undefined ? at() : { ...at(), content })),
    stop: () => running.current?.abort(),
    toggleBreak: () => setMessages(withBreak(messages)),
    reset: () => {
      running.current?.abort()
      setMessages(opening)
    },
  }
}

type Asking = { readonly signal: AbortSignal; readonly model: string; readonly update: (change: Partial<ChatMessage>) => void }

/** Asks, and again after a broken connection where the reader wants that. Never throws: what goes wrong becomes the message. */
async function ask(messages: readonly ChatMessage[], settings: PlaygroundSettings, asking: Asking): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await askOnce(messages, settings, asking)
    } catch (error) {
      if (asking.signal.aborted) return asking.update({ status: 'complete' })
      if (!settings.isReconnecting || attempt >= MAX_RECONNECTS) {
        return asking.update({ status: 'error', content: error instanceof Error ? error.message : String(error) })
      }
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_AFTER_MS))
    }
  }
}

async function askOnce(messages: readonly ChatMessage[], settings: PlaygroundSettings, { signal, model, update }: Asking): Promise<void> {
  const begun = performance.now()
  const response = await askModel(toBody(messages, settings), signal)
  const request_id = response.headers.get('x-oneapi-request-id')
  let facts: AnswerFacts = { model, ...(request_id === null ? {} : { request_id }) }
  if (!response.ok || response.body === null) {
    return update({ status: 'error', content: errorText(response.status, await response.text()), facts })
  }
  const text = new Frames(update)
  try {
    for await (const part of readStream(response.body)) {
      const elapsed = Math.round(performance.now() - begun)
      if (part.error !== undefined) {
        text.flush()
        return update({ status: 'error', content: text.with(part.error), facts: { ...facts, total_ms: elapsed } })
      }
      if (facts.first_ms === undefined && (part.content !== undefined || part.reasoning !== undefined))
        facts = { ...facts, first_ms: elapsed }
      if (part.usage !== undefined) facts = { ...facts, ...part.usage }
      text.add(part.content ?? '', part.reasoning ?? '')
    }
  } finally {
    text.flush()
    update({ facts: { ...facts, total_ms: Math.round(performance.now() - begun) } })
  }
  update({ status: 'complete' })
}

/** Collects what arrives and shows it once per frame: a fast model sends more often than a screen can change. */
class Frames {
  readonly #update: Asking['update']
  #content = ''
  #reasoning = ''
  #frame: number | undefined

  constructor(update: Asking['update']) {
    this.#update = update
  }

  add(content: string, reasoning: string): void {
    if (content === '' && reasoning === '') return
    this.#content += content
    this.#reasoning += reasoning
    this.#frame ??= requestAnimationFrame(() => this.flush())
  }

  /** What has arrived, and below it why nothing more will. */
  with(error: string): string {
    return this.#content === '' ? error : `${this.#content}\n\n${error}`
  }

  flush(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
    if (this.#content === '' && this.#reasoning === '') return
    this.#update({ status: 'incomplete', content: this.#content, ...(this.#reasoning === '' ? {} : { reasoning: this.#reasoning }) })
  }
}

export function toBody(messages: readonly ChatMessage[], settings: PlaygroundSettings) {
  const channel = countOf(settings.channel)
  return {
    messages: [...toSent(messages, settings.system)],
    stream: true,
    stream_options: { include_usage: true },
    model: settings.model,
    group: settings.group,
    max_tokens: countOf(settings.maxTokens),
    temperature: settings.temperature,
    ...(channel === 0 ? {} : { channel }),
  }
}

function stored(user: StoredUser | undefined): readonly ChatMessage[] | undefined {
  const kept = storage.get('playground-chat')
  return kept === undefined || kept['user_id'] !== user?.id ? undefined : readStored(kept['messages'])
}

function store(user: StoredUser | undefined, messages: readonly ChatMessage[]): undefined {
  if (user === undefined) return
  const kept = { user_id: user.id, messages }
  if (JSON.stringify(kept).length <= MAX_STORED) storage.set('playground-chat', kept)
}
