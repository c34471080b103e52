import { ZERO_USAGE, type PricedTool, type Quote, type QuoteCard, type RatioQuote, type Usage } from '@tollgate/contracts/pricing/quote'
import { MAX_CHARGE } from '@tollgate/contracts/units'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Exact, toWhole, toWholeAbove } from '../../test/reference-decimal.ts'
import { chargeOf, quotaOf, tokensOfSeconds } from './charge.ts'
import { Decimal } from './decimal.ts'
import { formatQuota } from './format.ts'
import { holdFor, type HoldInput } from './hold.ts'
import { quoteFor, withTiers } from './quote.ts'
import { oneHourRatio, ratiosOf } from './ratios.ts'

const typed = fc.constantFrom(0, 0.001, 0.025, 0.075, 0.1, 0.5, 1, 1.25, 2, 3.75, 8, 37.5, 0.8572, 8.2191780822, 4 / 3, 10 / 0.15)
const ratio = fc.oneof({ weight: 3, arbitrary: typed }, fc.double({ min: 0, max: 100, noNaN: true }))
const tokens = fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 2_000_000 }))
const few = fc.integer({ min: 0, max: 20 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined })

/** The object without its undefined members, which `exactOptionalPropertyTypes` rejects. */
function defined<T extends object>(draw: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // The filter removes exactly the undefined members.
  return Object.fromEntries(Object.entries(draw).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> }
}

const partial = fc
  .record({
    completion_ratio: maybe(ratio),
    cache_ratio: maybe(ratio),
    cache_creation_ratio: maybe(ratio),
    cache_creation_1h_ratio: maybe(ratio),
    image_ratio: maybe(ratio),
    image_cache_ratio: maybe(ratio),
    image_completion_ratio: maybe(ratio),
    audio_ratio: maybe(ratio),
    audio_cache_ratio: maybe(ratio),
    audio_completion_ratio: maybe(ratio),
  })
  .map(defined)
const aCard: fc.Arbitrary<QuoteCard> = fc
  .tuple(fc.integer({ min: 1, max: 400_000 }), ratio, partial)
  .map(([above, model_ratio, rest]) => ({ above, model_ratio, ...rest }))
const TOOL_PRICES = { web_search: 10, file_search: 2.5, draw: 167, 'draw/low': 11, 'draw/high': 250.125 }
const aTool: fc.Arbitrary<PricedTool> = fc
  .record({ name: fc.constantFrom('web_search', 'file_search', 'draw', 'free'), max_calls: few, at_least: maybe(fc.constant(1)) })
  .map(defined)
const unit = fc.oneof({ weight: 3, arbitrary: fc.constant(500_000) }, fc.constantFrom(1, 1_000_000, 0.5))

type Drawn = { readonly quote: Quote; readonly tools: readonly PricedTool[] }

const drawQuote = (cards: fc.Arbitrary<readonly QuoteCard[]>, price: fc.Arbitrary<number | undefined>): fc.Arbitrary<Drawn> =>
  fc
    .record({
      model: fc.constantFrom('m', 'gpt-4o', 'gpt-image-1', 'dall-e-3'),
      price,
      ratio,
      partial,
      cards,
      group_ratio: ratio,
      quota_per_unit: unit,
      tools: fc.array(aTool, { maxLength: 2 }),
      answers: maybe(fc.integer({ min: 2, max: 128 })),
      tier: maybe(ratio),
      image: maybe(fc.record({ size: fc.constantFrom('1024x1024', '1792x1024', 'auto'), quality: fc.constantFrom('hd', 'low'), n: few })),
    })
    .map((draw) => {
      const row = { model: draw.model, ratio: draw.ratio, ...draw.partial, cards: [...draw.cards].toSorted((a, b) => a.above - b.above) }
      const quote = quoteFor({
        model: draw.model,
        group: 'default',
        prices: () => (draw.price === undefined ? row : { ...row, price: draw.price }),
        group_ratio: draw.group_ratio,
        quota_per_unit: draw.quota_per_unit,
        price_version: 1,
        isUnpricedAllowed: false,
        tool_prices: TOOL_PRICES,
        asked: defined({ tools: draw.tools, image: draw.image, answers: draw.answers }),
      })
      if (quote === 'unpriced') throw new Error('every draw has a price')
      const { tier } = draw
      const tiered = tier === undefined ? quote : withTiers(quote, ['priority'], () => ({ model: draw.model, tiers: { priority: tier } }))
      if (tiered === 'unpriced-tier') throw new Error('every drawn tier has a factor')
      return { quote: tiered, tools: draw.tools }
    })

const price = maybe(fc.double({ min: 0, max: 10, noNaN: true }))
const anyQuote = drawQuote(fc.array(aCard, { maxLength: 3 }), price)

const CLASSES = [
  'text_in',
  'text_out',
  'cache_read',
  'cache_read_image',
  'cache_read_audio',
  'cache_write',
  'cache_write_1h',
  'image_in',
  'image_out',
  'audio_in',
  'audio_out',
  'characters',
  'seconds',
  'images',
] as const
const anyUsage: fc.Arbitrary<Usage> = fc
  .record({
    text_in: tokens,
    text_out: tokens,
    cache_read: tokens,
    cache_write: tokens,
    image_in: fc.oneof(fc.constant(0), tokens),
    audio_in: fc.oneof(fc.constant(0), tokens),
    audio_out: fc.oneof(fc.constant(0), tokens),
    rest: fc
      .record({
        cache_read_image: maybe(tokens),
        cache_read_audio: maybe(tokens),
        cache_write_1h: maybe(tokens),
        image_out: maybe(tokens),
        characters: maybe(tokens),
        seconds: maybe(tokens),
        images: maybe(few),
        tool_calls: maybe(fc.dictionary(fc.constantFrom('web_search', 'draw', 'draw/low', 'draw/high/big', 'other'), few)),
      })
      .map(defined),
  })
  .map(({ rest, ...counts }) => ({ ...ZERO_USAGE, source: 'upstream', ...counts, ...rest }))

/** Splits a whole number into parts that sum to it at most. */
const partsOf = (total: number, count: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 0, max: 100 }), { minLength: count, maxLength: count }).map((shares) => {
    let left = total
    return shares.map((share) => {
      const part = Math.floor((left * share) / 100)
      left -= part
      return part
    })
  })

const IN = [
  'cache_read',
  'cache_read_image',
  'cache_read_audio',
  'cache_write',
  'cache_write_1h',
  'image_in',
  'audio_in',
  'characters',
] as const
const OUT = ['text_out', 'image_out', 'audio_out'] as const

/** Classes that count for the hold only where the request may bring them. */
const flags = fc.record({
  audio: fc.boolean(),
  images: fc.boolean(),
  cache_write: fc.boolean(),
  cache_write_1h: fc.boolean(),
  image_out: fc.boolean(),
})
const FLAG_OF = {
  cache_read_image: 'images',
  cache_read_audio: 'audio',
  cache_write: 'cache_write',
  cache_write_1h: 'cache_write_1h',
  image_in: 'images',
  audio_in: 'audio',
  image_out: 'image_out',
  audio_out: 'audio',
} as const
const isFlagged = (name: string): name is keyof typeof FLAG_OF => Object.hasOwn(FLAG_OF, name)

/** A request and a usage that a vendor which respects its limits may report. */
const aCall = (drawn: fc.Arbitrary<Drawn>): fc.Arbitrary<Drawn & { readonly input: HoldInput; readonly usage: Usage }> =>
  fc.tuple(drawn, tokens, tokens).chain(([{ quote, tools }, prompt_tokens, max_tokens]) =>
    fc
      .tuple(partsOf(prompt_tokens, IN.length + 1), partsOf(max_tokens, OUT.length), fc.integer({ min: 0, max: 100 }), fc.boolean(), flags)
      .map(([ins, outs, share, isWhole, classes]) => {
        const counts: Partial<Record<(typeof CLASSES)[number], number>> = {}
        const allowed = (name: string, count = 0): number => (isFlagged(name) && !classes[FLAG_OF[name]] ? 0 : count)
        IN.forEach((name, index) => (counts[name] = allowed(name, ins[index])))
        OUT.forEach((name, index) => (counts[name] = allowed(name, outs[index])))
        const seconds = Math.floor(((ins.at(-1) ?? 0) * 60) / 1000)
        const used = IN.reduce((sum, name) => sum + (counts[name] ?? 0), 0) + tokensOfSeconds(seconds)
        // Where the whole prompt is used, the tokens left over by the other classes are text.
        const text_in = isWhole ? prompt_tokens - used : 0
        const tool_calls = Object.fromEntries(
          tools.map(({ name, max_calls = 0 }) => [name === 'draw' ? 'draw/high' : name, Math.floor((max_calls * share) / 100)]),
        )
        const images = quote.mode === 'price' ? Math.floor(((quote.count ?? 1) * share) / 100) : 0
        return {
          quote,
          tools,
          input: { prompt_tokens, max_tokens, hold_output_tokens: 4096, pre_consumed: 500, classes, tools },
          usage: { ...ZERO_USAGE, source: 'upstream', ...counts, seconds, text_in, tool_calls, images },
        }
      }),
  )

/** With two million tokens it costs one unit more than any charge may be. */
const ABOVE_THE_LARGEST_CHARGE: RatioQuote = {
  model: 'm',
  group: 'default',
  group_ratio: 99.99999999999983,
  quota_per_unit: 500_000,
  price_version: 1,
  mode: 'ratio',
  model_ratio: 49.688872874054844,
  completion_ratio: 1,
  cache_ratio: 99.99999999999997,
  cache_creation_ratio: 1.25,
  cache_creation_1h_ratio: 2,
  image_ratio: 1,
  audio_ratio: 20,
  audio_completion_ratio: 2,
  is_unpriced: false,
}
const RUNS = { numRuns: 500 }

describe('for all prices and usages', () => {
  it('the lines sum to the charge, which is a whole number and never negative', () => {
    fc.assert(
      fc.property(anyQuote, anyUsage, ({ quote }, used) => {
        const charged = chargeOf(quote, used)

        expect(charged.lines.reduce((sum, line) => sum.plus(line.quota), new Exact(0)).eq(charged.charge)).toBe(true)
        expect(Number.isSafeInteger(charged.charge)).toBe(true)
        expect(charged.charge).toBeGreaterThanOrEqual(0)
      }),
      RUNS,
    )
  })

  it('the factors of a line times what it counts are its amount', () => {
    fc.assert(
      fc.property(anyQuote, anyUsage, ({ quote }, used) => {
        for (const { kind, tokens: counted, count, factors, quota } of chargeOf(quote, used).lines) {
          if (kind === 'rounding' || kind === 'minimum') continue
          const product = factors.reduce((amount, { value }) => amount.times(value), new Exact(counted ?? count ?? 1))

          expect(product.toString()).toBe(quota)
        }
      }),
      RUNS,
    )
  })

  it('what is charged is what was produced: answers, and the tier that was served', () => {
    const produced = fc.tuple(anyQuote, anyUsage, fc.integer({ min: 1, max: 128 }), fc.integer({ min: 1, max: 9 }))
    fc.assert(
      fc.property(produced, ([{ quote: drawn }, { images: _images, ...used }, answers, factor]) => {
        const { tools: _tools, tiers: _tiers, ...quote } = drawn
        const tiered = { ...quote, tiers: { priority: factor } }
        expect(quotaOf(tiered, { ...used, unserved_tiers: ['priority'] })).toBe(quotaOf(quote, used))
        if (quote.mode === 'price') {
          const { count: _count, answers: _answers, ...one } = quote
          const several = { ...one, answers }
          const each = new Exact(quote.model_price).times(quote.size_ratio ?? 1).times(quote.quality_ratio ?? 1)
          const exact = each.times(quote.quota_per_unit).times(quote.group_ratio).times(answers)

          expect(quotaOf(several, used)).toBe(Math.max(toWhole(exact), exact.gt(0) ? 1 : 0))
          expect(quotaOf(several, { ...used, answers: 1 })).toBe(quotaOf(one, used))
          expect(quotaOf(one, { ...used, answers: 0 })).toBe(0)
          expect(quotaOf({ ...one, tiers: { priority: answers } }, used)).toBe(quotaOf(several, used))
        }
      }),
      RUNS,
    )
  })

  it('the charge is the same with and without its lines', () => {
    const text = anyUsage.map((used) => ({
      ...ZERO_USAGE,
      source: 'upstream' as const,
      text_in: used.text_in,
      text_out: used.text_out,
      cache_read: used.cache_read,
      cache_write: used.cache_write,
    }))
    fc.assert(
      fc.property(anyQuote, fc.oneof(text, anyUsage), ({ quote }, used) => {
        expect(quotaOf(quote, used)).toBe(chargeOf(quote, used).charge)
      }),
      { numRuns: 2000 },
    )
  })

  it('sums and products of decimals are exact', () => {
    const term = fc.tuple(tokens, ratio)
    fc.assert(
      fc.property(fc.array(term, { maxLength: 5 }), fc.array(ratio, { maxLength: 3 }), (terms, factors) => {
        let sum = Decimal.zero
        let exact = new Exact(0)
        for (const [count, by] of terms) {
          sum = sum.plus(Decimal.of(count).times(Decimal.of(by)))
          exact = exact.plus(new Exact(count).times(by))
        }
        for (const by of factors) {
          sum = sum.times(Decimal.of(by))
          exact = exact.times(by)
        }

        expect(sum.toString()).toBe(exact.toString())
        expect(sum.minus(Decimal.of(1)).toString()).toBe(exact.minus(1).toString())
        expect(sum.isZero).toBe(exact.eq(0))
        if (exact.gt(Number.MAX_SAFE_INTEGER)) return
        expect(sum.ceil()).toBe(toWholeAbove(exact))
        expect(sum.round()).toBe(toWhole(exact))
      }),
      { numRuns: 2000 },
    )
  })

  it('quotas are shown with six exact decimals', () => {
    const perUnit = fc.oneof(unit, fc.double({ min: 0.000_001, max: 1e9, noNaN: true }))
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.maxSafeInteger()), perUnit, (quota, quota_per_unit) => {
        const text = new Exact(quota).dividedBy(quota_per_unit).toFixed(6)

        expect(formatQuota(quota, { display_in_currency: true, quota_per_unit })).toBe(`＄${text}`)
      }),
      RUNS,
    )
  })

  it('an hour in the cache costs 1.6 times the price of five minutes', () => {
    fc.assert(
      fc.property(ratio, (five) => {
        expect(oneHourRatio(five)).toBe(new Exact(five).times('1.6').toNumber())
      }),
      RUNS,
    )
  })

  it('more of any class never costs less where a longer prompt is never cheaper', () => {
    const rising = fc.array(fc.tuple(fc.integer({ min: 1, max: 400_000 }), fc.double({ min: 1, max: 3, noNaN: true })), { maxLength: 2 })
    const plain = fc.tuple(drawQuote(fc.constant([]), price), rising).map(([{ quote }, steps]): Quote => {
      if (quote.mode === 'price') return quote
      const sorted = steps.toSorted(([a], [b]) => a - b)
      let model_ratio: number = quote.model_ratio
      const cards = sorted.map(([above, by]) => ({ above, model_ratio: (model_ratio *= by) }))
      return { ...quote, cards }
    })
    fc.assert(
      fc.property(plain, anyUsage, fc.constantFrom(...CLASSES), tokens, (quote, used, kind, more) => {
        const some = used[kind] ?? 0

        expect(quotaOf(quote, { ...used, [kind]: some + more })).toBeGreaterThanOrEqual(quotaOf(quote, { ...used, [kind]: some }))
      }),
      RUNS,
    )
  })

  it('the hold covers the charge when the prompt is as estimated and the vendor respects the limits', () => {
    fc.assert(
      fc.property(aCall(anyQuote), ({ quote, input, usage }) => {
        const hold = holdFor(quote, input)

        expect(hold.want).toBeGreaterThanOrEqual(quotaOf(quote, usage))
        expect(hold.least).toBe(hold.want)
      }),
      { numRuns: 3000 },
    )
  })

  it('the hold of text equals one computed with the reference decimals', () => {
    const text = drawQuote(fc.array(aCard, { maxLength: 2 }), fc.constant(undefined)).map(({ quote }) => quote)
    fc.assert(
      fc.property(text, tokens, tokens, fc.boolean(), (drawn, prompt_tokens, max_tokens, cache_write) => {
        if (drawn.mode === 'price') throw new Error('the draw has no price')
        const { tools: _none, tiers: _no, ...quote } = drawn
        const under = (card: QuoteCard | undefined) => {
          const by = ratiosOf(quote, card)
          const dearest = Math.max(1, by.cache_ratio, cache_write ? by.cache_creation_ratio : 0)
          const sum = new Exact(prompt_tokens).times(dearest).plus(new Exact(max_tokens).times(by.completion_ratio))
          const perToken = new Exact(by.model_ratio).times(quote.group_ratio).times(quote.quota_per_unit).times('0.000002')
          return Math.min(Math.max(toWholeAbove(sum.times(perToken)), perToken.gt(0) ? 1 : 0), MAX_CHARGE)
        }
        const reached = (quote.cards ?? []).filter(({ above }) => above < prompt_tokens * 1.1)

        const hold = holdFor(quote, { prompt_tokens, max_tokens, hold_output_tokens: 0, pre_consumed: 0, classes: { cache_write } })

        expect(hold.want).toBe(Math.max(under(undefined), ...reached.map(under)))
      }),
      { ...RUNS, examples: [[ABOVE_THE_LARGEST_CHARGE, 1_999_988, 1_253_501, false]] },
    )
  })

  it('a wallet never goes below zero and loses nothing, for any requests in any order', () => {
    const step = aCall(anyQuote.filter(({ quote }) => worthless(quote) === false))
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000_000 }),
        fc.array(fc.tuple(step, fc.boolean()), { maxLength: 12 }),
        (credited, steps) => {
          const wallet = { spent: 0, held: 0 }
          const open: { held: number; charge: number }[] = []
          const settle = () => {
            const ended = open.shift()
            if (ended === undefined) return
            wallet.held -= ended.held
            wallet.spent += ended.charge
          }
          for (const [{ quote, input, usage }, isEnding] of steps) {
            const { want, least } = holdFor(quote, input)
            const spendable = credited - wallet.spent - wallet.held
            if (spendable >= least) {
              const held = Math.min(want, spendable)
              wallet.held += held
              open.push({ held, charge: quotaOf(quote, usage) })
            }
            if (isEnding) settle()
            expect(credited - wallet.spent - wallet.held).toBeGreaterThanOrEqual(0)
          }
          const charges = wallet.spent + open.reduce((sum, { charge }) => sum + charge, 0)
          while (open.length > 0) settle()

          expect(wallet).toEqual({ spent: charges, held: 0 })
          expect(wallet.spent).toBeLessThanOrEqual(credited)
        },
      ),
      { numRuns: 200 },
    )
  })
})

const worthless = (quote: Quote): boolean => (quote.mode === 'price' ? quote.model_price : quote.model_ratio) === 0

describe('text without a limit', () => {
  const text = drawQuote(fc.array(aCard, { maxLength: 2 }), fc.constant(undefined))

  it('holds at least `least`, at most `want`, and wants no less than with the smallest limit', () => {
    fc.assert(
      fc.property(text, tokens, tokens, tokens, ({ quote, tools }, prompt_tokens, hold_output_tokens, pre_consumed) => {
        const input = { prompt_tokens, max_tokens: undefined, hold_output_tokens, pre_consumed, tools }
        const { want, least } = holdFor(quote, input)

        expect(least).toBeLessThanOrEqual(want)
        expect(want).toBeGreaterThanOrEqual(holdFor(quote, { ...input, max_tokens: 0 }).want)
      }),
      RUNS,
    )
  })
})

it('a stored quote is small enough for its event', () => {
  const quote: RatioQuote = {
    ...aQuote(),
    tools: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`image_generation/medium/1024x153${n}`, { price: 63 }])),
    cards: [
      { above: 200_000, model_ratio: 1.25, completion_ratio: 6, cache_ratio: 0.1 },
      { above: 500_000, model_ratio: 2.5, completion_ratio: 6, cache_ratio: 0.1 },
    ],
  }

  expect(JSON.stringify(quote).length).toBeLessThan(1500)
})

function aQuote(): RatioQuote {
  const quote = quoteFor({
    model: 'gemini-2.5-pro-preview-03-25',
    group: 'default',
    prices: () => ({ model: 'm', ratio: 0.625 }),
    group_ratio: 1,
    quota_per_unit: 500_000,
    price_version: 123_456,
    isUnpricedAllowed: false,
  })
  if (quote === 'unpriced' || quote.mode === 'price') throw new Error('the row has a ratio')
  return quote
}
