import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countLetters, everyCut, factsOf, replay } from './__fixtures__/replay.ts'
import { HELD_BYTES } from '../../marker-usage-reader.ts'
import { createChatUsageReader } from './usage-reader.ts'

const FOLDER = join(import.meta.dirname, '__fixtures__')
const LARGE = 'chat-large-event.sse'
const fixture = (name: string) => readFileSync(join(FOLDER, name))
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith('.sse'))
const chunk = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const delta = (content: string) =>
  chunk({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
  })
const end = chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
const usageOnly = chunk({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })
const DONE = 'data: [DONE]\n\n'
const send = (text: string, wants_usage = false) => replay([Buffer.from(text)], wants_usage)

describe.each(fixtures)('%s', (name) => {
  it('gives the expected facts', () => {
    expect(factsOf(replay([fixture(name)], false))).toMatchSnapshot()
  })

  it('gives the same facts and bytes cut at every byte, and byte by byte', { timeout: 60_000 }, () => {
    for (const wants_usage of [false, true]) {
      const whole = replay([fixture(name)], wants_usage)
      for (const chunks of everyCut(fixture(name))) {
        const cut = replay(chunks, wants_usage)
        const at = `cut at ${chunks[0]?.length ?? 0}`
        expect(cut.passed, at).toBe(whole.passed)
        expect(cut.closing, at).toBe(whole.closing)
        // An event too large to be buffered is counted as it passes, braces included.
        if (name === LARGE)
          expect(cut.usageReader.facts, at).toMatchObject({ usage: whole.usageReader.facts.usage, finish: whole.usageReader.facts.finish })
        else expect(factsOf(cut), at).toEqual(factsOf(whole))
      }
    }
  })

  it.each(['\r\n', '\r'])('gives the same facts with line ends %j', (lineEnd) => {
    const other = Buffer.from(fixture(name).toString().replaceAll('\n', lineEnd))

    expect(factsOf(replay([other], false))).toEqual(factsOf(replay([fixture(name)], false)))
    expect(replay([other], false).passed.replaceAll(lineEnd, '\n')).toBe(replay([fixture(name)], false).passed)
  })
})

describe('what the client receives', () => {
  const answer = delta('a') + delta('b') + end

  it('is every byte except the usage chunk, if it did not ask for one', () => {
    const { passed, closing, usageReader } = send(answer + usageOnly + DONE)

    expect(passed).toBe(answer)
    expect(closing).toBe(DONE)
    expect(usageReader.facts.usage?.prompt_tokens).toBe(3)
  })

  it('is every byte, if it did', () => {
    const { passed, closing } = send(answer + usageOnly + DONE, true)

    expect(passed + closing).toBe(answer + usageOnly + DONE)
  })

  it('has our own usage chunk before the end marker, if it asked and upstream sent none', () => {
    const { passed, closing } = send(answer + DONE, true)

    expect(passed).toBe(answer)
    expect(closing.endsWith(DONE)).toBe(true)
    expect(JSON.parse(closing.slice(6, closing.indexOf('\n')))).toMatchObject({
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [],
      usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
    })
  })

  it('has an end marker if upstream sent none', () => {
    const { ending, closing } = send(answer)

    expect(ending).toBe('finished')
    expect(closing).toBe(DONE)
  })

  it('includes the usage chunk if it has a finish reason', () => {
    const withFinish = chunk({
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    })

    expect(send(answer + withFinish + DONE).passed).toBe(answer + withFinish)
  })

  describe('when upstream repeats the usage, which Pydantic AI and LangChain for Python add up', () => {
    const counted = (completion_tokens: number) => ({ prompt_tokens: 3, completion_tokens, total_tokens: 3 + completion_tokens })
    const said = (content: string, usage?: object) =>
      chunk({ id: 'c1', choices: [{ index: 0, delta: { role: 'assistant', content } }], ...usage })
    const finished = (usage?: object) => chunk({ id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...usage })
    const early = said('a', { usage: counted(1) })

    it('has it once, with the finish', () => {
      const last = finished({ usage: counted(2) })

      expect(send(early + last + DONE, true)).toMatchObject({ passed: said('a') + last, closing: DONE })
      expect(send(early + last + usageOnly + DONE, true)).toMatchObject({ passed: said('a') + last, closing: DONE })
      expect(send(early + last + DONE).passed).toBe(said('a') + last)
    })

    it('has it in the last chunk, if only that has the final one', () => {
      expect(send(early + finished() + usageOnly + DONE, true)).toMatchObject({ passed: said('a') + finished() + usageOnly, closing: DONE })
    })

    it('has our own chunk, if the usage stood before the finish only', () => {
      const { passed, closing, usageReader } = send(early + finished() + DONE, true)

      expect(passed).toBe(said('a') + finished())
      expect(JSON.parse(closing.slice(6, closing.indexOf('\n')))).toMatchObject({ choices: [], usage: { total_tokens: 12 } })
      expect(usageReader.facts.usage?.completion_tokens).toBe(1)
      expect(usageReader.warnings).toEqual(['repaired: usage'])
    })

    it('has all of it, if the client asked for that', () => {
      const usageReader = createChatUsageReader({ wants_usage: true, wants_interim_usage: true, count: countLetters })

      expect(usageReader.push(Buffer.from(early)).toString()).toBe(early)
    })
  })

  it('has no part of an error object, which the caller renders', () => {
    const { passed, ending, usageReader } = send(
      answer + chunk({ error: { message: 'boom', type: 'server_error', code: null } }) + delta('after'),
    )

    expect(passed).toBe(answer)
    expect(ending).toBe('failed')
    expect(usageReader.facts.failure).toMatchObject({ kind: 'refused', status: 502, message: 'boom' })
  })

  it('has nothing after the end marker', () => {
    expect(send(answer + DONE + delta('after') + usageOnly).passed).toBe(answer)
  })

  it('has a last event without its empty line, completed', () => {
    expect(send((delta('a') + end).slice(0, -2))).toMatchObject({ passed: delta('a') + end, ending: 'finished' })
  })

  it('has no half event', () => {
    expect(send(`${delta('a')}data: {"choices":[{"del`)).toMatchObject({ passed: delta('a'), ending: 'cut' })
  })

  it('includes events that are not JSON', () => {
    const odd = 'data: not json\n\n'

    const { passed, usageReader } = send(answer + odd + DONE)

    expect(passed).toBe(answer + odd)
    expect(usageReader.facts.unreadable).toBe(1)
  })

  it('passes whole events of a chunk at once, without copying if nothing is held back', () => {
    const usageReader = createChatUsageReader({ wants_usage: false, count: countLetters })
    const whole = Buffer.from(delta('a') + delta('b'))

    expect(usageReader.push(whole).buffer).toBe(whole.buffer)
    expect(usageReader.push(Buffer.from(delta('c').slice(0, 10))).length).toBe(0)
  })
})

describe('what is buffered', () => {
  it('is never more than a few kilobytes, however large an event is', () => {
    const usageReader = createChatUsageReader({ wants_usage: false, count: countLetters })
    const large = Buffer.from(delta('x'.repeat(1_000_000)))
    let sent = 0

    for (let at = 0; at < large.length; at += 1000) {
      const part = large.subarray(at, at + 1000)
      sent += part.length
      const passed = usageReader.push(part).length
      sent -= passed
      expect(sent).toBeLessThanOrEqual(HELD_BYTES)
    }

    expect(usageReader.facts.delivered.text.letters).toBeGreaterThan(1_000_000)
    expect(usageReader.facts.delivered.text.letters).toBeLessThan(1_000_300)
  })

  it('finds usage and finish at the end of a large event', () => {
    const large = chunk({
      choices: [{ index: 0, delta: { content: 'y'.repeat(50_000) }, finish_reason: 'length' }],
      usage: { prompt_tokens: 3, completion_tokens: 2, details: { a: 1 } },
    })
    const bytes = Buffer.from(large + DONE)

    const { passed, usageReader, ending } = replay([bytes.subarray(0, 20_000), bytes.subarray(20_000)], true)

    expect(passed).toBe(large)
    expect(ending).toBe('done')
    expect(usageReader.facts).toMatchObject({ finish: 'length', usage: { prompt_tokens: 3, completion_tokens: 2 } })
  })

  it('does not count the bytes of images or audio as text', () => {
    const bytes = Buffer.from(chunk({ choices: [{ index: 0, delta: { audio: { data: 'A'.repeat(20_000) } } }] }))

    const { usageReader } = replay([bytes.subarray(0, 10_000), bytes.subarray(10_000)], false)

    expect(usageReader.facts.delivered.text.letters).toBe(0)
  })

  it('stops at an error too large to be read', () => {
    const bytes = Buffer.from(chunk({ error: { message: 'z'.repeat(20_000) } }))

    const { passed, ending, usageReader } = replay([bytes.subarray(0, 10_000), bytes.subarray(10_000)], false)

    expect(passed).toBe('')
    expect(ending).toBe('failed')
    expect(usageReader.facts.failure?.kind).toBe('malformed')
  })
})
