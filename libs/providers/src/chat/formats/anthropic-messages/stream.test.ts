import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countLetters, everyCut, factsOf, replay, SETTLED } from './__fixtures__/replay.ts'
import type { JsonObject } from '../../../json.ts'
import { HELD_BYTES } from '../../marker-usage-reader.ts'
import { createUsageReader } from './usage-reader.ts'

const FOLDER = join(import.meta.dirname, '__fixtures__')
const LARGE = 'large-event.sse'
const fixture = (name: string) => readFileSync(join(FOLDER, name))
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith('.sse'))
const event = (value: JsonObject) => `event: ${String(value['type'])}\ndata: ${JSON.stringify(value)}\n\n`
const textDelta = (text: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
const delta = (text: string) => event(textDelta(text))
const start = event({ type: 'message_start', message: { id: 'm', usage: { input_tokens: 9, output_tokens: 1 } } })
const finish = event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } })
const STOP = event({ type: 'message_stop' })
const send = (text: string) => replay([Buffer.from(text)])

describe.each(fixtures)('%s', (name) => {
  it('gives the expected facts', () => {
    expect(factsOf(replay([fixture(name)]))).toMatchSnapshot()
  })

  it('gives the same facts and bytes cut at every byte, and byte by byte', { timeout: 60_000 }, () => {
    const whole = replay([fixture(name)])
    for (const chunks of everyCut(fixture(name))) {
      const cut = replay(chunks)
      const at = `cut at ${chunks[0]?.length ?? 0}`
      expect(cut.passed, at).toBe(whole.passed)
      expect(cut.closing, at).toBe(whole.closing)
      // An event too large to be buffered is counted as it passes, braces included.
      if (name === LARGE)
        expect(cut.usageReader.facts, at).toMatchObject({ usage: whole.usageReader.facts.usage, finish: 'tools', hasContent: true })
      else expect(factsOf(cut), at).toEqual(factsOf(whole))
    }
  })

  it.each(['\r\n', '\r'])('gives the same facts with line ends %j', (lineEnd) => {
    const other = Buffer.from(fixture(name).toString().replaceAll('\n', lineEnd))

    expect(factsOf(replay([other]))).toEqual(factsOf(replay([fixture(name)])))
    expect(replay([other]).passed.replaceAll(lineEnd, '\n')).toBe(replay([fixture(name)]).passed)
  })
})

describe('what the client receives', () => {
  const answer = start + delta('a') + event({ type: 'ping' }) + delta('b') + finish

  it('is every byte, and the end after the settlement', () => {
    const { passed, closing, ending, usageReader } = send(answer + STOP)

    expect(passed).toBe(answer)
    expect(closing).toBe(STOP)
    expect(ending).toBe('done')
    expect(usageReader.facts.usage).toMatchObject({ text_in: 9, text_out: 4, prompt_tokens: 9 })
  })

  it('has an end marker if upstream sent none after its stop reason', () => {
    expect(send(answer)).toMatchObject({ passed: answer, ending: 'finished', closing: STOP })
  })

  it('has no part of an error object, which the caller renders', () => {
    const { passed, ending, usageReader } = send(
      start + delta('a') + event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }) + delta('after'),
    )

    expect(passed).toBe(start + delta('a'))
    expect(ending).toBe('failed')
    expect(usageReader.facts.failure).toMatchObject({ kind: 'limited', status: 529, type: 'overloaded_error', message: 'Overloaded' })
  })

  it('has nothing after the end marker', () => {
    expect(send(answer + STOP + delta('after')).passed).toBe(answer)
  })

  it('has no half event', () => {
    expect(send(`${start}event: content_block_delta\ndata: {"type":"con`)).toMatchObject({ passed: start, ending: 'cut' })
  })

  it('has a last event without its empty line, completed', () => {
    expect(send((start + finish).slice(0, -2))).toMatchObject({ passed: start + finish, ending: 'finished' })
  })

  it('includes events that are not JSON', () => {
    const { passed, usageReader } = send(`${start}data: not json\n\n${finish}${STOP}`)

    expect(passed).toBe(`${start}data: not json\n\n${finish}`)
    expect(usageReader.facts.unreadable).toBe(1)
  })

  it('passes whole events of a chunk at once, without copying', () => {
    const usageReader = createUsageReader({ wants_usage: true, count: countLetters })
    const whole = Buffer.from(start + delta('a'))

    expect(usageReader.push(whole).buffer).toBe(whole.buffer)
    expect(usageReader.push(Buffer.from(delta('c').slice(0, 10))).length).toBe(0)
  })
})

describe('facts', () => {
  it('include the prompt tokens before the answer, for a stream that is cut off', () => {
    const { usageReader, ending } = send(start + delta('abc'))

    expect(ending).toBe('cut')
    expect(usageReader.facts.usage).toBeUndefined()
    expect(usageReader.facts.early_usage).toMatchObject({ text_in: 9 })
    expect(usageReader.facts.delivered.text.letters).toBe(3)
  })

  it('start with the first event that is not a ping', () => {
    const usageReader = createUsageReader({ wants_usage: true, count: countLetters })

    usageReader.push(Buffer.from(event({ type: 'ping' })))
    expect(usageReader.facts.hasBegun).toBe(false)

    usageReader.push(Buffer.from(start))
    expect(usageReader.facts).toMatchObject({ hasBegun: true, hasContent: false })
  })
})

describe('what is buffered', () => {
  it('is never more than a few kilobytes, however large an event is', () => {
    const usageReader = createUsageReader({ wants_usage: true, count: countLetters })
    const large = Buffer.from(delta('x'.repeat(1_000_000)))
    let held = 0

    for (let at = 0; at < large.length; at += 1000) {
      const part = large.subarray(at, at + 1000)
      held += part.length - usageReader.push(part).length
      expect(held).toBeLessThanOrEqual(HELD_BYTES)
    }

    expect(held).toBe(0)
    expect(usageReader.facts.delivered.text.letters).toBeGreaterThanOrEqual(1_000_000)
    expect(usageReader.facts.delivered.text.letters).toBeLessThan(1_000_300)
    expect(usageReader.closing(SETTLED).toString()).toBe(STOP)
  })

  it('does not count search results as text', () => {
    const block = { type: 'web_search_tool_result', content: [{ encrypted_content: 'A'.repeat(20_000) }] }
    const bytes = Buffer.from(event({ type: 'content_block_start', index: 0, content_block: block }))

    const { usageReader } = replay([bytes.subarray(0, 10_000), bytes.subarray(10_000)])

    expect(usageReader.facts.delivered.text.letters).toBe(0)
    expect(usageReader.facts.hasContent).toBe(true)
  })

  it('stops at an error too large to be read', () => {
    const bytes = Buffer.from(event({ type: 'error', error: { type: 'api_error', message: 'z'.repeat(20_000) } }))

    const { passed, ending, usageReader } = replay([bytes.subarray(0, 10_000), bytes.subarray(10_000)])

    expect(passed).toBe('')
    expect(ending).toBe('failed')
    expect(usageReader.facts.failure?.kind).toBe('malformed')
  })

  it('finds usage that lists many steps', () => {
    const step = { type: 'message', input_tokens: 1000, output_tokens: 10, cache_read_input_tokens: 0, cache_creation: null }
    const usage = { input_tokens: 5, output_tokens: 8, iterations: Array.from({ length: 20 }, () => step) }
    const edits = Array.from({ length: 100 }, () => ({ type: 'clear_tool_uses_20250919' }))
    const value = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, context_management: { edits }, usage }
    const bytes = Buffer.from(start + event(value) + STOP)

    const { usageReader } = replay([bytes.subarray(0, 5000), bytes.subarray(5000)])

    expect(usageReader.facts).toMatchObject({ finish: 'stop', usage: { text_in: 5, text_out: 8 } })
  })

  it('finds stop reason and usage of a large message_delta', () => {
    const edits = Array.from({ length: 200 }, () => ({ type: 'clear_tool_uses_20250919' }))
    const value = {
      type: 'message_delta',
      delta: { stop_reason: 'max_tokens' },
      context_management: { edits },
      usage: { output_tokens: 8 },
    }
    const bytes = Buffer.from(start + event(value) + STOP)

    const { usageReader, ending } = replay([bytes.subarray(0, 5000), bytes.subarray(5000)])

    expect(ending).toBe('done')
    expect(usageReader.facts).toMatchObject({ finish: 'length', usage: { text_in: 9, text_out: 8 } })
  })
})
