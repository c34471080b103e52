import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withFacts, withFactTexts } from './logged-event.ts'
import { packEvent, unpackEvent } from './packed-event.ts'

const golden = (name: string): string => readFileSync(join(import.meta.dirname, '__golden__', name), 'utf8').trim()
/** A row's bytes as the first version wrote them. */
const packed = Buffer.from(golden('packed-event-1.hex'), 'hex')

describe('a packed event', () => {
  it('is read as the first version wrote it', () => {
    expect(unpackEvent(packed)).toBe(golden('packed-event-1.txt'))
    expect(withFacts({ type: 2, event: packed, other: '', usage: null, quote: null, explanation: null })).toMatchObject({
      other: expect.stringContaining('"model_ratio":1.25'),
      usage: { text_in: 23, text_out: 53 },
      quote: { model: 'gpt-4o', completion_ratio: 4 },
      explanation: { client_status: 200, ended_by: 'complete', token_charge: 294, attempts: [{ channel_name: 'channel 4', status: 200 }] },
    })
  })

  it('comes out as it went in, whatever its text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(unpackEvent(packEvent(text))).toBe(text)
      }),
      { numRuns: 50 },
    )
  })

  it('takes less than a third of its text', () => {
    const text = golden('packed-event-1.txt')
    expect(packEvent(text).length).toBeLessThan(text.length / 3)
  })

  it('of a newer version leaves a row without its facts', () => {
    const event = Buffer.concat([Buffer.of(2), packed.subarray(1)])
    const none = { usage: null, quote: null, explanation: null }

    expect(withFacts({ type: 2, event, other: '', ...none })).toEqual({ type: 2, other: '', ...none })
    expect(withFacts({ type: 2, event, other: '' })).toEqual({ type: 2, other: '' })
    expect(withFactTexts({ event, ...none })).toEqual(none)
  })
})
