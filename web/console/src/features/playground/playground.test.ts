import { describe, expect, it } from 'vitest'
import { blocksOf } from './blocks.ts'
import { askedAgain, openingOf, readStored, toSent, withBreak, withQuestion, replaced, type ChatMessage } from './messages.ts'
import { errorText, readStream, toPart, type StreamPart } from './read-stream.ts'
import { countOf, defaultSettings, readSettings } from './settings.ts'

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

    expect(readStored(JSON.parse(JSON.stringify(kept)))?.at(-1)?.status).toBe('complete')
    expect(readStored([{ id: 1, content: 'x', role: 'user' }])).toBeUndefined()
    expect(readStored('text')).toBeUndefined()
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

describe('pieces of Markdown', () => {
  it('end at empty lines, but not inside a fence or a list', () => {
    const text = 'One\n\n```js\na\n\nb\n```\n\n- x\n\n- y\n\nEnd'

    expect(blocksOf(text).map((block) => block.trim())).toEqual(['One', '```js\na\n\nb\n```\n\n- x\n\n- y', 'End'])
  })

  it('lose no text', () => {
    const text = 'a\n\nb\n\n```\nopen\n\nc'

    expect(blocksOf(text).join('\n')).toBe(text)
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

  it.each([
    ['0', 0],
    ['128', 128],
    ['-1', 0],
    ['many', 0],
  ])('read the count %s as %i', (text, count) => {
    expect(countOf(text)).toBe(count)
  })
})
