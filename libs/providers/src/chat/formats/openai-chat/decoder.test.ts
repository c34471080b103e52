import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../events.ts'
import { everyCut } from './__fixtures__/replay.ts'
import { openAiChat } from './index.ts'

const FOLDER = join(import.meta.dirname, '__fixtures__')
const fixture = (name: string) => readFileSync(join(FOLDER, name))
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith('.sse'))

function decode(chunks: readonly Buffer[]) {
  const decoder = openAiChat.vendor.createDecoder()
  const events = chunks.flatMap((chunk) => decoder.push(Buffer.from(chunk)))
  const { isDone } = decoder
  const { events: last, ending } = decoder.end()
  return { events: [...events, ...last], ending, isDone, unreadable: decoder.unreadable }
}

describe.each(fixtures)('%s', (name) => {
  it('is decoded to the expected events', () => {
    expect(decode([fixture(name)])).toMatchSnapshot()
  })

  it('is decoded to the same cut at every byte', { timeout: 60_000 }, () => {
    const whole = decode([fixture(name)])
    for (const chunks of everyCut(fixture(name))) expect(decode(chunks), `cut at ${chunks[0]?.length ?? 0}`).toEqual(whole)
  })
})

const chunk = (delta: object, over: object = {}) =>
  `data: ${JSON.stringify({ id: 'c-1', model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...over }] })}\n\n`
const END = `${chunk({}, { finish_reason: 'stop' })}data: [DONE]\n\n`
const calls = (...list: object[]) => list.map((tool_calls) => chunk({ tool_calls: [tool_calls] })).join('')
const said = (text: string): ModelEvent[] =>
  decode([Buffer.from(text + END)]).events.filter(({ kind }) => kind !== 'start' && kind !== 'finish')

describe('what vendors do differently', () => {
  it.each<[string, string, object[]]>([
    ['reasoning under its other name', chunk({ reasoning: 'hm' }), [{ kind: 'reasoning', text: 'hm' }]],
    [
      'thinking as parts (Mistral)',
      chunk({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
          { type: 'text', text: 'Hi' },
        ],
      }),
      [
        { kind: 'reasoning', text: 'hm' },
        { kind: 'text', text: 'Hi' },
      ],
    ],
    [
      'calls without index',
      calls({ id: 'a', function: { name: 'f', arguments: '{' } }, { function: { arguments: '}' } }, { id: 'b', function: { name: 'g' } }),
      [
        { kind: 'tool-call', index: 0, id: 'a', name: 'f' },
        { kind: 'tool-arguments', index: 0, text: '{' },
        { kind: 'tool-arguments', index: 0, text: '}' },
        { kind: 'tool-call', index: 1, id: 'b', name: 'g' },
      ],
    ],
    [
      'calls without id',
      calls({ index: 0, function: { name: 'f', arguments: '{}' } }, { index: 1, function: { name: 'g', arguments: '{}' } }),
      [
        { kind: 'tool-call', index: 0, id: 'call_c-1_1', name: 'f' },
        { kind: 'tool-arguments', index: 0, text: '{}' },
        { kind: 'tool-call', index: 1, id: 'call_c-1_2', name: 'g' },
        { kind: 'tool-arguments', index: 1, text: '{}' },
      ],
    ],
    [
      'index 0 for every call (Gemini’s endpoint)',
      calls(
        { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } },
        { index: 0, id: 'b', function: { name: 'g', arguments: '{' } },
        { index: 0, function: { arguments: '}' } },
      ),
      [
        { kind: 'tool-call', index: 0, id: 'a', name: 'f' },
        { kind: 'tool-arguments', index: 0, text: '{}' },
        { kind: 'tool-call', index: 1, id: 'b', name: 'g' },
        { kind: 'tool-arguments', index: 1, text: '{' },
        { kind: 'tool-arguments', index: 1, text: '}' },
      ],
    ],
    [
      'name and id in every piece',
      calls({ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }, { index: 0, id: 'a', function: { name: 'f', arguments: '}' } }),
      [
        { kind: 'tool-call', index: 0, id: 'a', name: 'f' },
        { kind: 'tool-arguments', index: 0, text: '{' },
        { kind: 'tool-arguments', index: 0, text: '}' },
      ],
    ],
    [
      'arguments before the name',
      calls({ index: 0, id: 'a', function: { arguments: '{' } }, { index: 0, function: { name: 'f', arguments: '}' } }),
      [
        { kind: 'tool-call', index: 0, id: 'a', name: 'f' },
        { kind: 'tool-arguments', index: 0, text: '{' },
        { kind: 'tool-arguments', index: 0, text: '}' },
      ],
    ],
    [
      'arguments as an object',
      calls({ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } }),
      [
        { kind: 'tool-call', index: 0, id: 'a', name: 'f' },
        { kind: 'tool-arguments', index: 0, text: '{"x":1}' },
      ],
    ],
    [
      'a function call of the time before tools',
      chunk({ function_call: { name: 'f', arguments: '{' } }) + chunk({ function_call: { arguments: '}' } }),
      [
        { kind: 'tool-call', index: 0, id: 'call_c-1_1', name: 'f' },
        { kind: 'tool-arguments', index: 0, text: '{' },
        { kind: 'tool-arguments', index: 0, text: '}' },
      ],
    ],
    [
      'a custom tool’s free text',
      calls({ index: 0, id: 'a', type: 'custom', custom: { name: 'p', input: 'a "' } }, { index: 0, custom: { input: 'b"' } }),
      [
        { kind: 'tool-call', index: 0, id: 'a', name: 'p' },
        { kind: 'tool-arguments', index: 0, text: '{"input":"' },
        { kind: 'tool-arguments', index: 0, text: 'a \\"' },
        { kind: 'tool-arguments', index: 0, text: 'b\\"' },
        { kind: 'tool-arguments', index: 0, text: '"}' },
      ],
    ],
    [
      'the whole message in place of a delta',
      `data: ${JSON.stringify({ choices: [{ message: { content: 'Hi' } }] })}\n\n`,
      [{ kind: 'text', text: 'Hi' }],
    ],
    [
      'the whole message once more at the end',
      chunk({ content: 'Hi' }) + `data: ${JSON.stringify({ choices: [{ message: { content: 'Hi' } }] })}\n\n`,
      [{ kind: 'text', text: 'Hi' }],
    ],
    [
      'images (OpenRouter)',
      chunk({ images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] }),
      [{ kind: 'image', media_type: 'image/png', data: 'AA==' }],
    ],
    ['a second choice', chunk({ content: 'no' }, { index: 1 }) + chunk({ content: 'yes' }), [{ kind: 'text', text: 'yes' }]],
  ])('%s', (_, text, expected) => {
    expect(said(text)).toEqual(expected)
  })

  it.each([
    ['at the top', { usage: { prompt_tokens: 3, completion_tokens: 2 } }],
    ['with Groq', { x_groq: { usage: { prompt_tokens: 3, completion_tokens: 2 } } }],
    ['in the choice (Moonshot)', { choices: [{ delta: {}, usage: { prompt_tokens: 3, completion_tokens: 2 } }] }],
  ])('usage %s', (_, over) => {
    expect(said(`data: ${JSON.stringify(over)}\n\n`)).toMatchObject([{ kind: 'usage', usage: { prompt_tokens: 3, completion_tokens: 2 } }])
  })

  it('a call after the finish changes it to tools', () => {
    const { events, ending } = decode([
      Buffer.from(chunk({}, { finish_reason: 'stop' }) + calls({ id: 'a', function: { name: 'f' } }) + 'data: [DONE]\n\n'),
    ])

    expect(events.at(-1)).toEqual({ kind: 'finish', finish: 'tools' })
    expect(ending).toBe('done')
  })

  it('a finish without an end marker', () => {
    expect(decode([Buffer.from(chunk({ content: 'a' }) + chunk({}, { finish_reason: 'length' }))])).toMatchObject({
      ending: 'finished',
      isDone: false,
    })
    expect(decode([Buffer.from(chunk({ content: 'a' }))])).toMatchObject({ ending: 'cut' })
  })

  it('nothing after an error or the end', () => {
    const failed = decode([Buffer.from(`data: ${JSON.stringify({ error: { message: 'boom' } })}\n\n${END}`)])
    expect(failed).toMatchObject({ ending: 'failed', events: [{ kind: 'failed', failure: { message: 'boom' } }] })
    expect(decode([Buffer.from(END + chunk({ content: 'late' }))]).events.filter(({ kind }) => kind === 'text')).toEqual([])
  })
})

it.each([
  ['an error object', { error: { message: 'no' } }, 'no'],
  ['an error as a text', { error: 'no key' }, 'no key'],
  ['no choices', { choices: [] }, 'the answer has no choices'],
])('never takes %s for a whole answer', (_, body, message) => {
  expect(openAiChat.vendor.decodeAnswer(body)).toMatchObject([{ kind: 'failed', failure: { message } }])
})

it('reads the message of a whole answer, though an empty delta stands beside it, as in Perplexity’s', () => {
  const choice = {
    index: 0,
    finish_reason: 'stop',
    message: { role: 'assistant', content: 'Sunny.' },
    delta: { role: 'assistant', content: '' },
  }
  const answer = { id: 'c1', object: 'chat.completion', created: 1, model: 'sonar', choices: [choice] }

  expect(openAiChat.vendor.decodeAnswer(answer)).toContainEqual({ kind: 'text', text: 'Sunny.' })
  expect(openAiChat.vendor.decodeAnswer(answer, 'pass-through')).toContainEqual({ kind: 'text', text: 'Sunny.' })
})
