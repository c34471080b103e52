import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import type { ChatCodec } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import type { StreamEnding } from '../../stream.ts'
import { gemini } from '../gemini/index.ts'
import { openAiChat } from '../openai-chat/index.ts'
import { eventsOf, findDisorder } from './__fixtures__/check-stream.ts'
import { SETTLED } from './__fixtures__/replay.ts'
import { anthropicMessages } from './index.ts'

const INPUT = { id: 'msg_ours', created: 1, model: 'm', include_usage: true, prompt_tokens: 3, body: {} }

function decode(format: ChatCodec, bytes: Buffer): { readonly events: readonly ModelEvent[]; readonly ending: StreamEnding } {
  const decoder = format.vendor.createDecoder()
  const pushed = decoder.push(bytes)
  const { events, ending } = decoder.end()
  return { events: [...pushed, ...events], ending }
}

const streams = [openAiChat, gemini].flatMap((format) => {
  const folder = join(import.meta.dirname, '..', format.name, '__fixtures__')
  const names = readdirSync(folder).filter((name) => name.endsWith('.sse'))
  return names.map((name) => ({ title: `${format.name} ${name}`, ...decode(format, readFileSync(join(folder, name))) }))
})
const whole = streams.filter(({ ending }) => ending === 'done' || ending === 'finished')

describe.each(whole)('a stream of another format for a client of this one: $title', ({ events }) => {
  const encoder = anthropicMessages.client.createEncoder(INPUT)
  const sse = events.map((event) => encoder.push(event)).join('') + encoder.closing(SETTLED)

  it('is well-formed', () => {
    expect(findDisorder(eventsOf(sse))).toBeUndefined()
  })

  it('is read by the official client: every text, thought and call', async () => {
    const client = new Anthropic({ apiKey: 'k', maxRetries: 0, fetch: () => Promise.resolve(new Response(sse)) })

    const { content } = await client.messages.stream({ model: 'm', max_tokens: 1, messages: [] }).finalMessage()

    const textOf = (...kinds: string[]) => events.map((event) => (kinds.includes(event.kind) && 'text' in event ? event.text : '')).join('')
    const spoken = events.map((event) => (event.kind === 'audio' ? (event.transcript ?? '') : '')).join('')
    expect(content.map((block) => (block.type === 'text' ? block.text : '')).join('')).toBe(textOf('text', 'refusal') + spoken)
    expect(content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('')).toBe(textOf('reasoning'))
    const calls = events.filter((event) => event.kind === 'tool-call')
    expect(content.filter((block) => block.type === 'tool_use').map(({ name }) => name)).toEqual(calls.map(({ name }) => name))
  })
})

it('there are such streams', () => {
  expect(whole.length).toBeGreaterThan(10)
})
