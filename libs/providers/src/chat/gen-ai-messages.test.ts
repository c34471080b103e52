import { describe, expect, it } from 'vitest'
import { MAX_MESSAGES, OutputMessages, toInputMessages } from './gen-ai-messages.ts'
import type { ModelEvent } from './events.ts'
import type { Message } from './request.ts'

const user = (text: string): Message => ({ role: 'user', parts: [{ kind: 'text', text }] })
const input = (...messages: Message[]) => {
  const { json, is_cut } = toInputMessages({ messages })
  expect(json.length).toBeLessThanOrEqual(MAX_MESSAGES)
  return { messages: JSON.parse(json) as { role: string; parts: { type: string; content?: string; response?: string }[] }[], is_cut }
}
const output = (...events: ModelEvent[]) => {
  const messages = new OutputMessages()
  for (const event of events) messages.push(event)
  const { json = 'null', is_cut } = messages.end() ?? {}
  expect(json.length).toBeLessThanOrEqual(MAX_MESSAGES)
  return { messages: JSON.parse(json) as { parts: { content: string }[] }[] | null, is_cut }
}

describe('the conversation of a request', () => {
  it('has texts, calls of tools and their results, each in its role', () => {
    const call = { kind: 'tool-call', id: 'c1', name: 'weather', arguments: '{"city":"Bern"}' } as const
    const result = { kind: 'tool-result', call_id: 'c1', content: [{ kind: 'text', text: 'rain' }] } as const

    const { messages } = input(user('How is it?'), { role: 'assistant', parts: [call] }, { role: 'user', parts: [result] })

    expect(messages).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'How is it?' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'weather', arguments: { city: 'Bern' } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rain' }] },
    ])
  })

  it('has the type and size of media, and addresses without their query, never the content', () => {
    const data = Buffer.alloc(3000, 7).toString('base64')
    const { messages } = input({
      role: 'user',
      parts: [
        { kind: 'image', source: { kind: 'base64', media_type: 'image/png', data } },
        { kind: 'document', source: { kind: 'url', url: 'https://files.example/a.pdf?signature=secret' } },
      ],
    })

    expect(messages[0]?.parts).toEqual([
      { type: 'blob', modality: 'image', mime_type: 'image/png', size: 3000 },
      { type: 'uri', modality: 'document', uri: 'https://files.example/a.pdf' },
    ])
  })

  it('loses its oldest messages when it is too long', () => {
    const { messages, is_cut } = input(...Array.from({ length: 40 }, (_, at) => user(`${at} ${'x'.repeat(1000)}`)))

    expect(is_cut).toBe(true)
    expect(messages.at(-1)?.parts[0]?.content).toMatch(/^39 x{1000}$/)
    expect(messages.length).toBeGreaterThan(14)
  })

  it.each([
    ['plain', 'x'],
    ['with characters that JSON escapes', '"\n\u0001'],
    ['in another script', '汉字'],
  ])('keeps the beginning of a text that is too long by itself, %s', (_, piece) => {
    const { messages, is_cut } = input(user(piece.repeat(20_000)))

    expect(is_cut).toBe(true)
    const content = messages[0]?.parts[0]?.content ?? ''
    expect(piece.repeat(20_000).startsWith(content.slice(0, -1))).toBe(true)
    expect(content.length).toBeGreaterThan(2000)
  })

  it('keeps the beginning of a long result of a tool', () => {
    const long = { kind: 'tool-result', call_id: 'c1', content: [{ kind: 'text', text: 'y'.repeat(50_000) }] } as const

    expect(input({ role: 'user', parts: [long] }).messages[0]?.parts[0]?.response).toMatch(/^y{16000,}…$/)
  })
})

describe('an answer', () => {
  it('is one message of joined pieces, with the reason of its end', () => {
    expect(
      output(
        { kind: 'start' },
        { kind: 'reasoning', text: 'Hm' },
        { kind: 'text', text: 'It ' },
        { kind: 'text', text: 'rains.' },
        { kind: 'tool-call', index: 0, id: 'c1', name: 'umbrella' },
        { kind: 'tool-arguments', index: 0, text: '{"size"' },
        { kind: 'tool-arguments', index: 0, text: ':2}' },
        { kind: 'finish', finish: 'tools' },
      ).messages,
    ).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Hm' },
          { type: 'text', content: 'It rains.' },
          { type: 'tool_call', id: 'c1', name: 'umbrella', arguments: { size: 2 } },
        ],
        finish_reason: 'tool_call',
      },
    ])
  })

  it('without an end broke off', () => {
    expect(output({ kind: 'text', text: 'It' }).messages).toMatchObject([{ finish_reason: 'error' }])
  })

  it('without content is none', () => {
    expect(output({ kind: 'start' }, { kind: 'finish', finish: 'stop' }).messages).toBeNull()
  })

  it('of a megabyte keeps its beginning, and no picture', () => {
    const image = { kind: 'image', media_type: 'image/png', data: 'A'.repeat(4000) } as const
    const texts = Array.from({ length: 1000 }, () => ({ kind: 'text', text: 'z'.repeat(1000) }) as const)

    const { messages, is_cut } = output(image, ...texts, { kind: 'finish', finish: 'stop' })

    expect(is_cut).toBe(true)
    expect(messages?.[0]?.parts).toMatchObject([
      { type: 'blob', modality: 'image', mime_type: 'image/png', size: 3000 },
      { type: 'text', content: expect.stringMatching(/^z{16000,}/) },
    ])
  })
})
