import type { ModelEvent } from '../chat/events.ts'
import type { ChatFormat } from '../chat/request.ts'
import { chatCodecs } from '../chat/formats/index.ts'

/**
 * Tests only: the meaning of an answer in any format, read by the vendor's side of that format. Answers with the same meaning are equal
 * here.
 */
export type Meaning = {
  /** Text and refusals together: only OpenAI separates them. */
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly { readonly name: string; readonly input: unknown }[]
  readonly finish: string | undefined
  readonly failed: boolean
  readonly usage: readonly number[] | undefined
}

export function meaningOfWhole(format: ChatFormat, body: unknown): Meaning {
  return meaningOf(chatCodecs[format].vendor.decodeAnswer(JSON.parse(withFilter(JSON.stringify(body)))))
}

export function meaningOfStream(format: ChatFormat, bytes: Buffer): Meaning {
  const decoder = chatCodecs[format].vendor.createDecoder()
  return meaningOf([...decoder.push(Buffer.from(withFilter(bytes.toString()))), ...decoder.end().events])
}

/** A filter is a failed response for clients of Responses, which is no answer when a vendor sends it. */
function withFilter(text: string): string {
  if (!text.includes('"code":"invalid_prompt"')) return text
  return text
    .replaceAll('response.failed', 'response.incomplete')
    .replaceAll('"status":"failed"', '"status":"incomplete"')
    .replaceAll(/"error":\{"code":"invalid_prompt"[^}]*\},"incomplete_details":null/g, '"incomplete_details":{"reason":"content_filter"}')
}

export function meaningOf(events: readonly ModelEvent[]): Meaning {
  const calls: { name: string; text: string }[] = []
  let [text, reasoning] = ['', '']
  let finish: string | undefined
  let usage: readonly number[] | undefined
  for (const event of events) {
    if (event.kind === 'text' || event.kind === 'refusal') text += event.text
    else if (event.kind === 'reasoning') reasoning += event.text
    else if (event.kind === 'tool-call') calls[event.index] = { name: event.name, text: '' }
    else if (event.kind === 'tool-arguments')
      calls[event.index] = { name: calls[event.index]?.name ?? '', text: `${calls[event.index]?.text}${event.text}` }
    else if (event.kind === 'finish') finish = event.finish
    else if (event.kind === 'usage') {
      const { prompt_tokens, completion_tokens, cache_read, reasoning: thought } = event.usage
      usage = [prompt_tokens, completion_tokens, cache_read, thought]
    }
  }
  return {
    text,
    reasoning,
    calls: calls.map((call) => ({ name: call.name, input: JSON.parse(call.text === '' ? '{}' : call.text) })),
    // OpenAI's models refuse in a field of the message and end with `stop`.
    finish: finish === 'stop' && events.some(({ kind }) => kind === 'refusal') ? 'filter' : finish,
    failed: events.some(({ kind }) => kind === 'failed'),
    usage,
  }
}
