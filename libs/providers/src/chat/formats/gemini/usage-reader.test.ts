import { describe, expect, it } from 'vitest'
import { countInto } from '@tollgate/domain/pricing/count'
import { SETTLED, countLetters, everyCut, replay } from './__fixtures__/replay.ts'
import { gemini } from './index.ts'
import { TAIL_BYTES } from './large-event.ts'
import { HELD_BYTES, createGeminiUsageReader } from './usage-reader.ts'

const event = (value: object) => `data: ${JSON.stringify(value)}\r\n\r\n`
const chunk = (text: string, over: object = {}) => ({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, ...over }] })
const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 }
const last = (text: string, over: object = {}) => ({
  ...chunk(text, { finishReason: 'STOP', ...over }),
  usageMetadata,
  modelVersion: 'gemini-3-pro-preview',
})
const send = (text: string, frame?: 'sse' | 'array') => replay([Buffer.from(text)], frame)

describe('what the client receives', () => {
  it('is every byte but comments; the last event and what follows it after settlement', () => {
    const head = `${event(chunk('a'))}${event(chunk('b'))}`
    const tail = `${event(last('c'))}${event({ usageMetadata })}`
    const { passed, closing, ending, usageReader } = send(`: hi\r\n\r\n${head}${tail}`)

    expect(passed).toBe(head)
    expect(closing).toBe(tail)
    expect(ending).toBe('finished')
    expect(usageReader.facts.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 2, source: 'upstream' })
  })

  it('is an array if it asked for one, with the same data byte by byte', () => {
    const odd = '{"candidates": [ {"index":0,"content":{"parts":[{"text":"a"}]}} ],  "x":1e0}'
    const { passed, closing } = send(`: hi\n\ndata: ${odd}\n\n${event(last('c'))}`, 'array')

    expect(passed).toBe(`[${odd}\n`)
    expect(closing).toBe(`,\r\n${JSON.stringify(last('c'))}\n]`)
  })

  it('is an array even if its data has several lines', () => {
    const lines = JSON.stringify(last('c'), undefined, 1).split('\n')
    const { passed, closing } = send(`${lines.map((line) => `data: ${line}`).join('\n')}\n\n`, 'array')

    expect(JSON.parse(passed + closing)).toEqual([last('c')])
  })

  it('has no part of an error object, which the caller renders', () => {
    const { passed, ending, usageReader } = send(
      event(chunk('a')) + event({ error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }) + event(chunk('b')),
    )

    expect(passed).toBe(event(chunk('a')))
    expect(ending).toBe('failed')
    expect(usageReader.facts.failure).toMatchObject({ kind: 'refused', status: 503, type: 'UNAVAILABLE', message: 'overloaded' })
  })

  it('has no half event', () => {
    expect(send(`${event(chunk('a'))}data: {"candidates":[{"con`)).toMatchObject({ passed: event(chunk('a')), ending: 'cut' })
  })

  it('has a last event without its empty line, completed', () => {
    expect(send(event(last('c')).trimEnd())).toMatchObject({ passed: '', closing: event(last('c')), ending: 'finished' })
  })

  it('has the end of the last candidate after settlement, if there are several', () => {
    const first = event(chunk('a', { finishReason: 'STOP' }))
    const more = Array.from({ length: 40 }, (_, index) => event(chunk(`b${index}`.padEnd(150, '.'), { index: 1 })))
    const { passed, closing } = send(first + more.join('') + event(last('c', { index: 1 })))

    expect(passed + closing).toBe(first + more.join('') + event(last('c', { index: 1 })))
    expect(closing.length).toBeLessThanOrEqual(HELD_BYTES)
    expect(closing.endsWith(event(last('c', { index: 1 })))).toBe(true)
  })

  it('has a blocked prompt as Google reports it', () => {
    const blocked = event({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 3 } })
    const { closing, ending, usageReader } = send(blocked)

    expect(closing).toBe(blocked)
    expect(ending).toBe('finished')
    expect(usageReader.facts).toMatchObject({ finish: 'filter', hasContent: false })
  })
})

describe('an event larger than the buffer', () => {
  const grounding = {
    webSearchQueries: ['one "quoted]" query', 'two'],
    groundingSupports: Array.from({ length: 60 }, (_, index) => ({
      segment: { text: `piece ${index} "finishReason":"X"` },
      groundingChunkIndices: [0],
    })),
  }
  const large = last('An answer. '.repeat(500), { groundingMetadata: grounding })
  const text = event(chunk('a')) + event(large)

  it.each(['sse', 'array'] as const)('passes as %s except its last bytes, however it is cut', { timeout: 60_000 }, (frame) => {
    const whole = frame === 'sse' ? text : `[${JSON.stringify(chunk('a'))}\n,\r\n${JSON.stringify(large)}\n]`
    for (let cut = 1; cut < text.length; cut += 7) {
      const { passed, closing, ending, usageReader } = replay([Buffer.from(text.slice(0, cut)), Buffer.from(text.slice(cut))], frame)
      expect(passed + closing, `cut at ${cut}`).toBe(whole)
      expect(closing.length).toBeGreaterThan(0)
      expect(closing.length).toBeLessThanOrEqual(HELD_BYTES)
      expect(ending).toBe('finished')
      expect(usageReader.facts.usage, `cut at ${cut}`).toMatchObject({ prompt_tokens: 3, tool_calls: { google_search: 2 } })
      expect(usageReader.facts.finish).toBe('stop')
    }
    const bytes = replay(
      Array.from(Buffer.from(text), (byte) => Buffer.from([byte])),
      frame,
    )
    expect(bytes.passed + bytes.closing).toBe(whole)
    expect(bytes.usageReader.facts.usage).toMatchObject({ tool_calls: { google_search: 2 } })
  })

  it('counts its text, but no base64', () => {
    const image = {
      candidates: [
        { content: { parts: [{ text: 'Here.' }, { inlineData: { mimeType: 'image/png', data: 'iVBO'.repeat(5000) } }] }, index: 0 },
      ],
    }
    const bytes = Buffer.from(event(image))
    const { usageReader } = replay([bytes.subarray(0, 5000), bytes.subarray(5000)])

    expect(usageReader.facts.hasContent).toBe(true)
    expect(usageReader.facts.delivered.text.letters).toBeLessThan(300)
  })

  it('that is an error is a failure', () => {
    const bytes = Buffer.from(event({ error: { code: 500, message: 'x'.repeat(5000) } }))
    const { passed, ending } = replay([bytes.subarray(0, 4000), bytes.subarray(4000)])

    expect({ passed, ending }).toEqual({ passed: '', ending: 'failed' })
  })

  it('is cut if its end is missing', () => {
    const bytes = Buffer.from(event(large))
    expect(replay([bytes.subarray(0, 5000)]).ending).toBe('cut')
  })

  it('uses no more memory than its limit', () => {
    const usageReader = createGeminiUsageReader({ wants_usage: true, count: countLetters })
    const bytes = Buffer.from(event(chunk('a'.repeat(200_000))) + event(last('b')))
    let given = 0
    let taken = 0
    for (let at = 0; at < bytes.length; at += 100) {
      taken += bytes.subarray(at, at + 100).length
      given += usageReader.push(bytes.subarray(at, at + 100)).length
      expect(taken - given).toBeLessThanOrEqual(HELD_BYTES + TAIL_BYTES)
    }
    expect(usageReader.close().ending).toBe('finished')
    expect(given + usageReader.closing(SETTLED).length).toBe(bytes.length)
  })
})

describe('any text', () => {
  it('passes unchanged, cut anywhere, with any line ends', { timeout: 60_000 }, () => {
    for (const lineEnd of ['\n', '\r', '\r\n']) {
      const text = `data: ${JSON.stringify(chunk('天\u2028空'))}${lineEnd}${lineEnd}data: ${JSON.stringify(last('.'))}${lineEnd}${lineEnd}`
      for (const chunks of everyCut(Buffer.from(`: x${lineEnd}${lineEnd}${text}`))) {
        const { passed, closing, ending } = replay(chunks)
        expect(passed + closing).toBe(text)
        expect(closing).toContain('finishReason')
        expect(ending).toBe('finished')
      }
    }
  })
})

describe('a stream of a vendor that is itself a gateway', () => {
  it('reaches Google’s clients without comments, names of events and end marker', () => {
    const said = { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'a' }] } }] }
    const plain = `data: ${JSON.stringify(said)}\n\n`
    const bytes = `: PING\n\n\nevent: message\n${plain}: above\n${plain}${plain}data: [DONE]\n\n`

    for (const cut of [1, 3, 7, 20, bytes.length]) {
      const fresh = gemini.passThrough.createUsageReader({ wants_usage: true, count: countInto })
      let told = ''
      for (let at = 0; at < bytes.length; at += cut) told += fresh.push(Buffer.from(bytes.slice(at, at + cut))).toString()
      expect(told + fresh.close().rest.toString(), `cut at ${cut}`).toBe(`\n${plain}${plain}${plain}`)
    }
    expect(gemini.client.ping).toBe('\n')
  })
})
