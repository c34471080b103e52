import { CALL_USAGE, FREE_CALL_USAGE, type PricedVideo, type Usage } from '@tollgate/contracts/pricing/quote'
import { defaultVideoUnits, type VideoUnits } from '@tollgate/contracts/pricing/video-units'
import { describe, expect, it } from 'vitest'
import { chargeOf } from './charge.ts'
import { holdFor } from './hold.ts'
import { quoteFor } from './quote.ts'

const PRICE = 0.2
const asked = (change: Partial<PricedVideo> = {}): PricedVideo => ({ seconds: undefined, size: '', mode: '', ...change })

function quoted(model: string, video: PricedVideo, units: VideoUnits) {
  const quote = quoteFor({
    model,
    group: 'default',
    group_ratio: 1,
    prices: () => ({ model, price: PRICE }),
    quota_per_unit: 500_000,
    price_version: 1,
    isUnpricedAllowed: false,
    video_units: units,
    asked: { video },
  })
  if (quote === 'unpriced') throw new Error('the model has a price')
  return quote
}

/** Price of the video. */
function unitsOf(model: string, video: PricedVideo, usage: Usage = CALL_USAGE, units: VideoUnits = defaultVideoUnits): number {
  return chargeOf(quoted(model, video, units), usage).charge / (PRICE * 500_000)
}

describe('a video without units', () => {
  it.each([
    ['Sora, the default length', 'sora-2', asked(), 4],
    ['Sora, each second', 'sora-2-pro', asked({ seconds: 8 }), 8],
    ['Kling, the default length', 'kling-v1-6', asked(), 1],
    ['Kling, ten seconds', 'kling-v1-6', asked({ seconds: 10 }), 2],
    ['Kling, a begun block', 'kling-v2-6', asked({ seconds: 11 }), 3],
    ['another model of any length', 'viduq1', asked({ seconds: 10, mode: 'pro' }), 1],
  ])('costs by its family: %s', (_what, model, video, units) => {
    expect(unitsOf(model, video)).toBe(units)
  })

  it('costs more for a large picture of Sora', () => {
    expect(unitsOf('sora-2', asked({ seconds: 4, size: '1792x1024' }))).toBeCloseTo(6.66667, 4)
  })
})

describe('a video with a unit of its own', () => {
  const own: VideoUnits = {
    'clip*': { modes: { pro: 3 } },
    'clip-long*': { per_seconds: 1, seconds: 6, modes: { pro: 2 }, sizes: { '1080p': 1.5 } },
    'clip-long-exact': {},
  }

  it.each([
    ['by the call, with a factor of its mode', 'clip', asked({ seconds: 10, mode: 'pro' }), 3],
    ['by the longest name that fits', 'clip-long-2', asked({ seconds: 10, mode: 'pro' }), 20],
    ['with factors of mode and resolution', 'clip-long', asked({ mode: 'pro', size: '1080p' }), 18],
    ['by its exact name', 'clip-long-exact', asked({ seconds: 10, mode: 'pro' }), 1],
  ])('costs %s', (_what, model, video, units) => {
    expect(unitsOf(model, video, CALL_USAGE, own)).toBe(units)
  })
})

describe('what the vendor says of a video', () => {
  it('is charged where it states another length than was asked for', () => {
    expect(unitsOf('sora-2', asked(), { ...CALL_USAGE, seconds: 10 })).toBe(10)
    expect(unitsOf('kling-v1', asked(), { ...CALL_USAGE, seconds: 10 })).toBe(2)
  })

  it('changes nothing of a price of a video', () => {
    expect(unitsOf('viduq1', asked(), { ...CALL_USAGE, seconds: 10 })).toBe(1)
  })

  it('makes it free', () => {
    expect(unitsOf('sora-2', asked({ seconds: 8 }), FREE_CALL_USAGE)).toBe(0)
  })
})

it('holds what a video costs', () => {
  const quote = quoted('kling-v1', asked({ seconds: 10 }), defaultVideoUnits)
  const hold = holdFor(quote, { prompt_tokens: 1, max_tokens: undefined, hold_output_tokens: 10, pre_consumed: 0 })
  expect(hold).toEqual({ want: 200_000, least: 200_000 })
})
