import { failureText } from '../../../lib/report.ts'
import { AnswerText } from './answer-text.ts'
import { askModel } from '../api.ts'
import type { AnswerFacts, ChatMessage } from './messages.ts'
import { errorText, readStream } from './read-stream.ts'
import { toBody } from '../request/request-body.ts'
import type { PlaygroundSettings } from '../settings/settings.ts'

const RECONNECT_AFTER_MS = 3_000
const MAX_RECONNECTS = 3

export type Asking = {
  readonly messages: readonly ChatMessage[]
  readonly settings: PlaygroundSettings
  readonly signal: AbortSignal
  readonly update: (change: Partial<ChatMessage>) => void
}

/** Asks, and again after a broken connection where the reader wants that. Never throws: what goes wrong becomes the message. */
export async function ask(asking: Asking): Promise<void> {
  const { settings, signal, update } = asking
  for (let attempt = 0; ; attempt += 1) {
    const text = new AnswerText(update)
    try {
      return await askOnce(asking, text)
    } catch (error) {
      if (signal.aborted) return update({ status: 'complete' })
      if (!settings.isReconnecting || attempt >= MAX_RECONNECTS) return update(failed(text, failureText(error) ?? ''))
      if (!(await pause(signal))) return update({ status: 'complete' })
      update({ status: 'loading', content: '' })
    }
  }
}

/** Without a text of its own the answer is the error. */
const failed = (text: AnswerText, error: string): Partial<ChatMessage> =>
  text.isEmpty ? { status: 'error', content: error } : { status: 'error', error }

async function askOnce({ messages, settings, signal, update }: Asking, text: AnswerText): Promise<void> {
  const begun = performance.now()
  const response = await askModel(toBody(messages, settings), signal)
  const request_id = response.headers.get('x-oneapi-request-id')
  let facts: AnswerFacts = { model: settings.model, ...(request_id === null ? {} : { request_id }) }
  update({ facts })
  if (!response.ok || response.body === null) {
    return update({ status: 'error', content: errorText(response.status, await response.text()), facts })
  }
  try {
    for await (const part of readStream(response.body)) {
      if (part.error !== undefined) {
        text.flush()
        return update(failed(text, part.error))
      }
      const hasText = part.content !== undefined || part.reasoning !== undefined || part.calls !== undefined
      if (facts.first_ms === undefined && hasText) facts = { ...facts, first_ms: Math.round(performance.now() - begun) }
      if (part.usage !== undefined) facts = { ...facts, ...part.usage }
      text.add(part)
    }
  } finally {
    text.flush()
    update({ facts: { ...facts, total_ms: Math.round(performance.now() - begun) } })
  }
  update({ status: 'complete' })
}

/** Waits before the next attempt, without a network until there is one. False: the reader has stopped it. */
async function pause(signal: AbortSignal): Promise<boolean> {
  const ended = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    if (navigator.onLine) ended.resolve()
    else window.addEventListener('online', () => ended.resolve(), { once: true, signal })
  }, RECONNECT_AFTER_MS)
  signal.addEventListener('abort', () => ended.resolve(), { once: true })
  await ended.promise
  clearTimeout(timer)
  return !signal.aborted
}
