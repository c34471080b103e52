import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../events.ts'
import type { StreamEnding } from '../../stream.ts'
import { everyCut, SETTLED } from './__fixtures__/replay.ts'
import { eventsOf, findDisorder } from './__fixtures__/check-stream.ts'
import { createDecoder, decodeAnswer } from './decoder.ts'
import { createEncoder, encodeAnswer } from './encoder.ts'

const FOLDER = join(import.meta.dirname, '__fixtures__')
const fixture = (name: string) => readFileSync(join(FOLDER, name))
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith('.sse'))
const INPUT = { id: 'msg_ours', created: 1, model: 'claude-opus-4-6', include_usage: true, prompt_tokens: 0, body: {} }

type Decoded = { readonly events: ModelEvent[]; readonly ending: StreamEnding; readonly unreadable: number }

function decode(chunks: readonly Buffer[]): Decoded {
  const decoder = createDecoder()
  const pushed = chunks.flatMap((chunk) => decoder.push(chunk))
  const { events, ending } = decoder.end()
  return { events: [...pushed, ...events], ending, unreadable: decoder.unreadable }
}

describe.each(fixtures)('%s', (name) => {
  it('is decoded to the expected events', () => {
    const decoded = decode([fixture(name)])

    expect(name === 'large-event.sse' ? decoded.events.map(({ kind }) => kind) : decoded).toMatchSnapshot()
  })

  it('is decoded to the same events cut at every byte, and byte by byte', { timeout: 60_000 }, () => {
    const whole = decode([fixture(name)])
    for (const chunks of everyCut(fixture(name))) expect(decode(chunks), `cut at ${chunks[0]?.length ?? 0}`).toEqual(whole)
  })

  it('is decoded to the same events after encoding as a stream', () => {
    const { events, ending } = decode([fixture(name)])
    if (ending === 'failed' || ending === 'cut') return
    const encoder = createEncoder(INPUT)
    const sse = events.map((event) => encoder.push(event)).join('') + encoder.closing(usageOf(events))

    const again = decode([Buffer.from(sse)])

    expect(encoder.warnings).toEqual([])
    expect(findDisorder(eventsOf(sse))).toBeUndefined()
    expect(summary(again.events)).toEqual(summary(events))
    expect(again.ending).toBe('done')
  })

  it('is decoded to the same events as a whole answer', () => {
    const { events, ending } = decode([fixture(name)])
    if (ending === 'failed' || ending === 'cut') return

    const { body } = encodeAnswer(events, INPUT)

    expect(summary(decodeAnswer(body))).toEqual(summary(events))
  })
})

const usageOf = (events: readonly ModelEvent[]) => events.findLast((event) => event.kind === 'usage')?.usage ?? SETTLED

/** The content of an answer, however it is split into pieces. */
function summary(events: readonly ModelEvent[]): object {
  const join = (kinds: readonly string[], index?: number) =>
    events
      .map((event) => (kinds.includes(event.kind) && 'text' in event && (!('index' in event) || event.index === index) ? event.text : ''))
      .join('')
  const only = <K extends ModelEvent['kind']>(kind: K) =>
    events.filter((event): event is Extract<ModelEvent, { kind: K }> => event.kind === kind)
  return {
    text: join(['text', 'refusal']),
    reasoning: join(['reasoning']),
    signatures: only('reasoning-signature'),
    hidden: only('redacted-reasoning'),
    calls: only('tool-call').map(({ index, id, name }) => [id, name, JSON.parse(join(['tool-arguments'], index))]),
    citations: only('citation'),
    vendorSpecific: only('vendor-specific'),
    usage: usageOf(events),
    finish: only('finish').map((event) => (event.finish === 'other' ? { ...event, finish: 'length' } : event)),
    order: events
      .map(({ kind }) => ORDERED[kind])
      .filter((kind) => kind !== undefined)
      .filter((kind, at, all) => kind !== all[at - 1]),
  }
}

const ORDERED: Readonly<Record<string, string>> = {
  text: 'text',
  refusal: 'text',
  reasoning: 'reasoning',
  'reasoning-signature': 'reasoning',
  'redacted-reasoning': 'hidden',
  'tool-call': 'call',
  vendorSpecific: 'vendor-specific',
}
