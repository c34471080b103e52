import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../events.ts'
import { readEvents } from '../../whole-answer.ts'
import { countLetters, everyCut } from '../openai-chat/__fixtures__/replay.ts'
import { openAiResponses } from './index.ts'

// Streams follow https://developers.openai.com/api/reference/resources/responses/streaming-events and the guides it links to.
const FOLDER = join(import.meta.dirname, '__fixtures__')
const fixture = (name: string) => readFileSync(join(FOLDER, name))
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith('.sse'))
const SETTLED: Usage = { ...ZERO_USAGE, text_in: 5, text_out: 7, prompt_tokens: 5, completion_tokens: 7, source: 'estimated' }

const readWhole = (body: unknown) => readEvents(openAiResponses.vendor.decodeAnswer(body, 'pass-through'))

function replay(chunks: readonly Buffer[]) {
  const usageReader = openAiResponses.passThrough.createUsageReader({ wants_usage: true, count: countLetters })
  const passed = chunks.map((chunk) => {
    const own = Buffer.from(chunk)
    const out = Buffer.from(usageReader.push(own))
    own.fill(0)
    return out
  })
  const { rest, ending } = usageReader.close()
  const closing = ending === 'done' ? usageReader.closing(SETTLED).toString() : ''
  return { passed: Buffer.concat([...passed, rest]).toString(), ending, closing, usageReader }
}

function factsOf({ usageReader, ending }: ReturnType<typeof replay>) {
  const { usage, finish, failure, hasContent, hasBegun, delivered, unreadable } = usageReader.facts
  const { text, reasoning, tools, tool_calls } = delivered
  const letters = { text: text.letters, reasoning: reasoning.letters, tools: tools.letters, tool_calls }
  return { ending, finish, failure, usage, hasBegun, hasContent, unreadable, delivered: letters }
}

function decode(chunks: readonly Buffer[]) {
  const decoder = openAiResponses.vendor.createDecoder()
  const events = chunks.flatMap((chunk) => decoder.push(Buffer.from(chunk)))
  const { events: last, ending } = decoder.end()
  return { events: [...events, ...last], ending, unreadable: decoder.unreadable }
}

describe.each(fixtures)('%s', (name) => {
  it('passes unchanged, with its last event after settlement', () => {
    const whole = fixture(name).toString()
    const { passed, closing, ending } = replay([fixture(name)])

    expect(whole.startsWith(passed)).toBe(true)
    if (ending === 'done') expect(passed + closing).toBe(whole)
    expect(passed).not.toContain('response.completed')
  })

  it('gives the expected facts', () => {
    expect(factsOf(replay([fixture(name)]))).toMatchSnapshot()
  })

  it('is decoded to the expected events', () => {
    expect(decode([fixture(name)])).toMatchSnapshot()
  })

  it('gives the same facts, bytes and events cut at every byte', { timeout: 60_000 }, () => {
    const whole = replay([fixture(name)])
    const decoded = decode([fixture(name)])
    for (const chunks of everyCut(fixture(name))) {
      const cut = replay(chunks)
      const at = `cut at ${chunks[0]?.length ?? 0}`
      expect(cut.passed, at).toBe(whole.passed)
      expect(cut.closing, at).toBe(whole.closing)
      expect(factsOf(cut), at).toEqual(factsOf(whole))
      expect(decode(chunks), at).toEqual(decoded)
    }
  })

  it.each(['\r\n', '\r'])('gives the same facts with line ends %j', (lineEnd) => {
    const other = Buffer.from(fixture(name).toString().replaceAll('\n', lineEnd))

    expect(factsOf(replay([other]))).toEqual(factsOf(replay([fixture(name)])))
    expect(decode([other])).toEqual(decode([fixture(name)]))
  })
})

const event = (type: string, rest: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`
const send = (text: string) => replay([Buffer.from(text)])
const kinds = (events: readonly ModelEvent[]) => events.map(({ kind }) => kind)

describe('what the client of the same format receives', () => {
  const done = { id: 'resp_1', status: 'completed', output: [{ type: 'message', content: [{ type: 'output_text', text: 'whole' }] }] }

  it('has the settled usage if the vendor sent none', () => {
    const { closing, usageReader } = send(event('response.completed', { sequence_number: 3, response: { ...done, usage: null } }))

    expect(closing).toContain('event: response.completed\n')
    expect(JSON.parse(closing.slice(closing.indexOf('data: ') + 6))).toMatchObject({
      sequence_number: 3,
      response: { id: 'resp_1', usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 } },
    })
    expect(usageReader.facts.delivered.text.letters).toBe('whole'.length)
  })

  it('has nothing after the last event, and no end marker', () => {
    const { passed, ending } = send(`${event('response.created', { response: {} })}data: [DONE]\n\n`)
    expect({ passed, ending }).toEqual({ passed: event('response.created', { response: {} }), ending: 'cut' })

    expect(send(`${event('response.completed', { response: done })}data: [DONE]\n\n`)).toMatchObject({ passed: '', ending: 'done' })
  })

  it('needs no line that names the event', () => {
    const bare = `data: ${JSON.stringify({ type: 'response.output_text.delta', delta: 'Hi' })}\n\n`
    const last = `data: ${JSON.stringify({ response: { ...done, filler: 'x'.repeat(9000) }, type: 'response.completed' })}\n\n`

    const { passed, ending, usageReader } = send(bare + last)

    expect({ passed, ending, text: usageReader.facts.delivered.text.letters }).toEqual({ passed: bare, ending: 'done', text: 2 })
  })

  it('has a last event without its empty line, completed', () => {
    const { ending, closing } = send(event('response.completed', { response: { ...done, usage: {} } }).slice(0, -2))

    expect(ending).toBe('done')
    expect(closing.endsWith('\n\n')).toBe(true)
  })

  it('has a large event piece by piece, of which little is buffered', () => {
    const large = Buffer.from(event('response.output_text.delta', { delta: 'x'.repeat(100_000) }))
    const usageReader = openAiResponses.passThrough.createUsageReader({ wants_usage: true, count: countLetters })
    let kept = 0

    for (let at = 0; at < large.length; at += 1000) {
      const piece = large.subarray(at, at + 1000)
      kept += piece.length - usageReader.push(piece).length
      expect(kept).toBeLessThanOrEqual(4096)
    }

    expect(usageReader.facts.delivered.text.letters).toBeGreaterThan(99_999)
  })

  it('has no error event, wherever it occurs', () => {
    expect(send(`data: ${JSON.stringify({ error: { message: 'boom', code: 'server_error' } })}\n\n`)).toMatchObject({
      passed: '',
      ending: 'failed',
      usageReader: { facts: { failure: { message: 'boom' }, hasBegun: false } },
    })
  })
})

describe('decoding', () => {
  it('takes what no delta contained from the items and from the response', () => {
    const message = { type: 'message', content: [{ type: 'output_text', text: 'whole', annotations: [] }] }
    const fromItem = event('response.output_item.done', { output_index: 0, item: message })
    const last = event('response.completed', { response: { id: 'r', status: 'completed', output: [message] } })

    expect(kinds(decode([Buffer.from(fromItem + last)]).events)).toEqual(['start', 'text', 'finish'])
    expect(kinds(decode([Buffer.from(last)]).events)).toEqual(['start', 'text', 'finish'])
  })

  it('reads a whole response', () => {
    const events = openAiResponses.vendor.decodeAnswer({
      id: 'resp_9',
      model: 'gpt-5',
      status: 'completed',
      output: [
        { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'gAAA' },
        { type: 'function_call', id: 'fc', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'file_search_call', id: 'fs', status: 'completed', queries: ['q'], results: null },
      ],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 6,
        output_tokens_details: { reasoning_tokens: 2 },
      },
    })

    expect(events).toMatchObject([
      { kind: 'start', id: 'resp_9', model: 'gpt-5' },
      { kind: 'redacted-reasoning', data: 'gAAA', by: 'openai-responses' },
      { kind: 'tool-call', index: 0, id: 'c1', name: 'f' },
      { kind: 'tool-arguments', index: 0, text: '{}' },
      { kind: 'vendor-specific', by: 'openai-responses', type: 'file_search_call' },
      { kind: 'usage', usage: { text_in: 6, cache_read: 4, text_out: 6, reasoning: 2, tool_calls: { file_search: 1 } } },
      { kind: 'finish', finish: 'tools' },
    ])
  })

  it.each([
    ['an error object', { error: { message: 'no', code: 'server_error' } }, 'no'],
    ['a failed response', { status: 'failed', output: [], error: { code: 'server_error', message: 'broken' } }, 'broken'],
    ['something else', { hello: 1 }, 'the answer has no output'],
  ])('never takes %s for an answer', (_, body, message) => {
    expect(openAiResponses.vendor.decodeAnswer(body)).toMatchObject([{ kind: 'failed', failure: { message } }])
    expect(readWhole(body)).toMatchObject({ kind: 'failed', failure: { message } })
  })

  it.each<[string, object, object | undefined]>([
    ['echoed, but not called', { output: [], tools: [{ type: 'web_search' }] }, undefined],
    ['called, as a preview', { output: [{ type: 'web_search_call' }], tools: [{ type: 'web_search_preview' }] }, { web_search_preview: 1 }],
    ['pages opened', { output: [{ type: 'web_search_call', action: { type: 'open_page' } }] }, undefined],
    [
      'as the vendor counted',
      { output: [{ type: 'web_search_call' }], tool_usage: { web_search: { num_requests: 3 } } },
      { web_search: 3 },
    ],
    [
      'an image with its quality and size',
      { output: [{ type: 'image_generation_call', quality: 'high', size: '1024x1024', result: 'AA' }] },
      { 'image_generation/high/1024x1024': 1 },
    ],
    ['an image that failed', { output: [{ type: 'image_generation_call', status: 'failed', result: null }] }, undefined],
  ])('counts the vendor’s tools: %s', (_, response, expected) => {
    const body = { status: 'completed', ...response, usage: { input_tokens: 1, output_tokens: 1 } }

    expect(readWhole(body)).toMatchObject({
      kind: 'answer',
      usage: expected === undefined ? {} : { tool_calls: expected },
    })
    const read = readWhole(body)
    expect(read.kind === 'answer' ? read.usage?.tool_calls : 'failed').toEqual(expected)
  })
})
