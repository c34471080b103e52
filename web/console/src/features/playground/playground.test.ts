import { describe, expect, it } from 'vitest'
import { bestOf } from './compare/compare-figures.ts'
import { firstColumns, readColumns, withColumn } from './compare/compare-columns.ts'
import {
  askedAgain,
  fitting,
  openingOf,
  readStored,
  toSent,
  withBreak,
  withQuestion as withQuestionAt,
  withResults,
  replaced,
  type ChatMessage,
} from './chat/messages.ts'
import { errorText, readStream, toPart, type StreamPart } from './chat/read-stream.ts'
import { countOf, defaultSettings, ownSettings, readSettings } from './settings/settings.ts'

const withQuestion = (messages: readonly ChatMessage[], content: string, model: string, now: number) =>
  withQuestionAt(messages, { content, images: [] }, { model, now })

const opening = openingOf('Hello', 'Hi')
const asked = withQuestion(opening, 'one', 'm', 10)
const answered = replaced(asked, '5', { content: 'first', status: 'complete' })

const partsOf = async (...chunks: readonly string[]): Promise<readonly StreamPart[]> => {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
      controller.close()
    },
  })
  const parts: StreamPart[] = []
  for await (const part of readStream(body)) parts.push(part)
  return parts
}

describe('a conversation', () => {
  it('begins its own ids at 4, after the opening exchange', () => {
    expect(asked.map(({ id, role, status }) => [id, role, status])).toEqual([
      ['2', 'user', undefined],
      ['3', 'assistant', 'complete'],
      ['4', 'user', undefined],
      ['5', 'assistant', 'loading'],
    ])
  })

  it('sends the system prompt and what was said, without the opening and the place of the answer', () => {
    expect(toSent(withQuestion(answered, 'two', 'm', 20), 'Be brief')).toEqual([
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'first' },
      { role: 'user', content: 'two' },
    ])
    expect(toSent(asked, ' ')).toEqual([{ role: 'user', content: 'one' }])
  })

  it('sends nothing from before the context was cleared, and no answer that failed', () => {
    const cleared = withQuestion(withBreak(answered), 'two', 'm', 20)
    expect(toSent(cleared, '')).toEqual([{ role: 'user', content: 'two' }])

    const failed = withQuestion(replaced(asked, '5', { content: 'HTTP 500', status: 'error' }), 'two', 'm', 20)
    expect(toSent(failed, '').map(({ content }) => content)).toEqual(['one', 'two'])
  })

  it('asks again from a question or an answer, in other words too', () => {
    const long = replaced(withQuestion(answered, 'two', 'm', 20), '7', { content: 'second', status: 'complete' })

    expect(askedAgain(long, '5', { model: 'n', now: 30 }).map(({ content }) => content)).toEqual(['Hello', 'Hi', 'one', ''])
    expect(askedAgain(long, '6', { content: 'TWO', model: 'n', now: 30 }).slice(-2)).toMatchObject([
      { content: 'TWO' },
      { status: 'loading', facts: { model: 'n' } },
    ])
  })

  it('is read back with no answer still running, and dropped when it has another shape', () => {
    const kept: readonly ChatMessage[] = replaced(asked, '5', { content: 'half', status: 'incomplete' })

    expect(readStored(JSON.parse(JSON.stringify(kept)))?.map(({ id, status }) => [id, status])).toEqual([
      ['4', undefined],
      ['5', 'complete'],
    ])
    expect(readStored([{ id: 1, content: 'x', role: 'user' }])).toBeUndefined()
    expect(readStored('text')).toBeUndefined()
  })

  it('sends pictures as parts of their question', () => {
    const shown = withQuestionAt([], { content: 'What is it?', images: ['data:image/png;base64,AA'] }, { model: 'm', now: 1 })

    expect(toSent(shown, '')).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ],
      },
    ])
  })

  it('sends the results of tools after the calls that wanted them, and no call without its result', () => {
    const calling = replaced(asked, '5', { status: 'complete', calls: [{ id: 'c1', name: 'weather', arguments: '{}' }] })
    const sent = withResults(calling, ['sunny'], { model: 'm', now: 2 })

    expect(toSent(withQuestion(calling, 'two', 'm', 3), '').map(({ role }) => role)).toEqual(['user', 'user'])
    expect(toSent(sent, '').slice(1)).toEqual([
      { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }] },
      { role: 'tool', content: 'sunny', tool_call_id: 'c1' },
    ])
    expect(sent.at(-1)).toMatchObject({ id: '6', status: 'loading' })
  })

  it('drops pictures first and then the oldest messages where storage is too small', () => {
    const picture = `data:image/png;base64,${'A'.repeat(1_000)}`
    const shown = withQuestionAt(answered, { content: 'last', images: [picture] }, { model: 'm', now: 1 })

    expect(fitting(shown, 10_000)).toBe(shown)
    expect(fitting(shown, 1_000).map(({ content }) => content)).toEqual(shown.map(({ content }) => content))
    expect(fitting(shown, 200).map(({ content }) => content)).toEqual(['last', ''])
  })
})

describe('a comparison', () => {
  it('begins with two columns, keeps up to four, and adds a model that is not there yet', () => {
    expect(readColumns(undefined)).toBeUndefined()
    expect(firstColumns('m', ['m', 'n']).map(({ model }) => model)).toEqual(['m', 'n'])
    expect(readColumns([{ model: 'a', channel: '' }, { model: 1 }, { model: 'b', channel: '5' }])).toEqual([
      { id: 0, model: 'a', channel: '' },
      { id: 1, model: 'b', channel: '5' },
    ])
    expect(readColumns(Array.from({ length: 6 }, () => ({ model: 'a', channel: '' })))).toHaveLength(4)
    expect(withColumn([{ id: 3, model: 'a', channel: '' }], ['a', 'b']).at(-1)).toEqual({ id: 4, model: 'b', channel: '' })
  })

  it('marks the best figure of several, and none where they are equal or alone', () => {
    const facts = [
      { model: 'a', first_ms: 300, total_ms: 1300, completion_tokens: 100 },
      { model: 'b', first_ms: 200, total_ms: 1200, completion_tokens: 50 },
    ]

    expect([bestOf(facts, 'first'), bestOf(facts, 'speed'), bestOf(facts, 'tokens'), bestOf(facts, 'cost')]).toEqual([
      1,
      0,
      undefined,
      undefined,
    ])
    expect(
      bestOf(
        [
          { model: 'a', first_ms: 1 },
          { model: 'b', first_ms: 1 },
        ],
        'first',
      ),
    ).toBeUndefined()
  })
})

describe('a stream', () => {
  it('is read across the cuts of its chunks until the end marker', async () => {
    const parts = await partsOf(
      'data: {"choices":[{"delta":{"content":"Hé',
      'llo"}}]}\n\n: PING\n\nda',
      'ta: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2}}\r\n\r\ndata: [DONE]\n\ndata: {"choices":[{"delta":{"content":"late"}}]}\n\n',
    )

    expect(parts).toEqual([{ content: 'Héllo' }, { usage: { prompt_tokens: 3, completion_tokens: 2 } }, { isDone: true }])
  })

  it.each([
    ['an error', 'data: {"error":{"message":"quota"}}', { error: 'quota' }],
    [
      'a piece of a call',
      'data: {"choices":[{"delta":{"tool_calls":[{"index":1,"id":"c","function":{"name":"f","arguments":"{"}}]}}]}',
      { calls: [{ index: 1, id: 'c', name: 'f', arguments: '{' }] },
    ],
    ['reasoning', 'data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}', { reasoning: 'hm' }],
    ['another field', 'event: ping', undefined],
    ['broken JSON', 'data: {"cho', undefined],
  ])('reads %s', (_why, line, part) => {
    expect(toPart(line)).toEqual(part)
  })

  it.each([
    ['{"error":{"message":"no channel"}}', 'no channel'],
    ['{"success":false,"message":"refused"}', 'refused'],
    ['<html>bad gateway</html>', '<html>bad gateway</html>'],
    ['', 'HTTP 502'],
  ])('shows the refusal %s', (body, text) => {
    expect(errorText(502, body)).toBe(text)
  })
})

describe('settings', () => {
  it('keep what has the right type', () => {
    const defaults = defaultSettings('S')

    expect(readSettings({ model: 'x', temperature: '1', isReconnecting: true, other: 1 }, defaults)).toMatchObject({
      model: 'x',
      temperature: 0,
      isReconnecting: true,
      system: 'S',
    })
  })

  it('are kept only where they differ, so that the default prompt follows the language', () => {
    const kept = ownSettings({ ...defaultSettings('你好'), model: 'x' }, defaultSettings('你好'))

    expect(kept).toEqual({ model: 'x' })
    expect(readSettings(kept, defaultSettings('Hello')).system).toBe('Hello')
  })

  it.each([
    ['0', 0],
    ['128', 128],
    ['-1', 0],
    ['many', 0],
  ])('read the count %s as %i', (text, count) => {
    expect(countOf(text)).toBe(count)
  })
})
