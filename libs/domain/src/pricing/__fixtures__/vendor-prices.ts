import type { PricedExtras, Usage } from '@tollgate/contracts/pricing/quote'
import type { PriceSnapshot } from '@tollgate/contracts/relay/snapshot'

/** One published price: what an operator enters, what the vendor would report, what the vendor's page says that costs. */
export type VendorPrice = {
  readonly what: string
  readonly source: string
  readonly price: PriceSnapshot
  readonly asked?: PricedExtras
  readonly usage: Partial<Usage>
  /** US dollars by the page. */
  readonly usd: number
}

const M = 1_000_000

type Shared = { readonly source: string; readonly price: PriceSnapshot }
const of =
  ({ source, price }: Shared) =>
  (what: string, usage: Partial<Usage>, usd: number): VendorPrice => ({ what: `${price.model}: ${what}`, source, price, usage, usd })

const OPENAI = 'https://developers.openai.com/api/docs'
const text = (model: string, ratio: number, usd: readonly [input: number, cached: number, output: number]): VendorPrice[] => {
  const row = of({ source: `${OPENAI}/models/${model}`, price: { model, ratio, cache_ratio: usd[1] / usd[0] } })
  return [row('input', { text_in: M }, usd[0]), row('cached input', { cache_read: M }, usd[1]), row('output', { text_out: M }, usd[2])]
}

const realtime = of({
  source: `${OPENAI}/models/gpt-realtime-1.5`,
  price: { model: 'gpt-realtime-1.5', ratio: 2, completion_ratio: 4, cache_ratio: 0.1, image_ratio: 1.25, image_cache_ratio: 0.125 },
})
const smallRealtime = of({
  source: `${OPENAI}/models/gpt-4o-mini-realtime-preview`,
  price: { model: 'gpt-4o-mini-realtime-preview', ratio: 0.3, cache_ratio: 0.5 },
})
const newerRealtime = of({
  source: `${OPENAI}/models/gpt-realtime-2.1-mini`,
  price: { model: 'gpt-realtime-2.1-mini', ratio: 0.3, cache_ratio: 0.1, audio_ratio: 10 / 0.6, audio_cache_ratio: 0.5 },
})
const smallImage = of({
  source: `${OPENAI}/models/gpt-image-1-mini`,
  price: { model: 'gpt-image-1-mini', ratio: 1, cache_ratio: 0.1, image_ratio: 1.25, image_cache_ratio: 0.125, image_completion_ratio: 4 },
})
const image = of({ source: `${OPENAI}/models/gpt-image-1`, price: { model: 'gpt-image-1', ratio: 2.5, completion_ratio: 8 } })
const longGpt = of({
  source: `${OPENAI}/models/gpt-5.4`,
  price: {
    model: 'gpt-5.4',
    ratio: 1.25,
    completion_ratio: 6,
    cache_ratio: 0.1,
    cards: [{ above: 272_000, model_ratio: 2.5, completion_ratio: 4.5 }],
  },
})

const dallE = (size: string, quality: string, n: number, usd: number): VendorPrice => ({
  what: `dall-e-3: ${n} × ${size} ${quality}`,
  source: `${OPENAI}/models/dall-e-3`,
  price: { model: 'dall-e-3', price: 0.04 },
  asked: { image: { size, quality, n } },
  usage: { images: n },
  usd,
})

const tool = (model: string, name: string, calls: number, usd: number, source = `${OPENAI}/pricing`): VendorPrice => ({
  what: `${model}: ${calls} calls of ${name}`,
  source,
  price: { model, ratio: 1 },
  asked: { tools: [{ name: name.split('/')[0] ?? name }] },
  usage: { tool_calls: { [name]: calls } },
  usd,
})

const CLAUDE = 'https://docs.anthropic.com/en/docs/about-claude/pricing'
/** Dollars per million: input, five-minute write, one-hour write, hit, output. */
const claude = (model: string, usd: readonly [number, number, number, number, number], entered: Partial<PriceSnapshot> = {}): VendorPrice[] => {
  const row = of({ source: CLAUDE, price: { model, ratio: usd[0] / 2, cache_ratio: 0.1, ...entered } })
  return [
    row('input', { text_in: M / 10 }, usd[0] / 10),
    row('cache written for 5 minutes', { cache_write: M / 10 }, usd[1] / 10),
    row('cache written for an hour', { cache_write_1h: M / 10 }, usd[2] / 10),
    row('cache hit', { cache_read: M / 10 }, usd[3] / 10),
    row('output', { text_out: M / 10 }, usd[4] / 10),
  ]
}
const longClaude = of({
  source: `${CLAUDE}#long-context-pricing`,
  price: {
    model: 'claude-sonnet-4-20250514',
    ratio: 1.5,
    cache_ratio: 0.1,
    cards: [{ above: 200_000, model_ratio: 3, completion_ratio: 3.75 }],
  },
})

const GEMINI = 'https://ai.google.dev/gemini-api/docs/pricing'
const pro = of({
  source: GEMINI,
  price: { model: 'gemini-2.5-pro', ratio: 0.625, cache_ratio: 0.1, cards: [{ above: 200_000, model_ratio: 1.25, completion_ratio: 6 }] },
})
const flash = of({ source: GEMINI, price: { model: 'gemini-2.5-flash', ratio: 0.15, cache_ratio: 0.1, audio_cache_ratio: 1 / 3 } })
const flashImage = of({ source: GEMINI, price: { model: 'gemini-2.5-flash-image', ratio: 0.15, image_completion_ratio: 100 } })
const deepseek = of({
  source: 'https://api-docs.deepseek.com/quick_start/pricing',
  price: { model: 'deepseek-v4-flash', ratio: 0.07, cache_ratio: 0.02, completion_ratio: 2 },
})

/** Prices as their vendors publish them. Ratio 1 is 2 US dollars per million tokens. */
export const vendorPrices: readonly VendorPrice[] = [
  ...text('gpt-4o', 1.25, [2.5, 1.25, 10]),
  ...text('gpt-4o-mini', 0.075, [0.15, 0.075, 0.6]),
  ...text('o1', 7.5, [15, 7.5, 60]),
  ...text('gpt-5', 0.625, [1.25, 0.125, 10]),
  of({ source: `${OPENAI}/models/gpt-4o`, price: { model: 'gpt-4o-2024-05-13', ratio: 2.5 } })('output', { text_out: M }, 15),
  of({ source: `${OPENAI}/models/gpt-4-turbo`, price: { model: 'gpt-4-turbo', ratio: 5 } })('output', { text_out: M }, 30),
  of({ source: `${OPENAI}/models/gpt-3.5-turbo`, price: { model: 'gpt-3.5-turbo', ratio: 0.25 } })('output', { text_out: M }, 1.5),

  realtime('text input', { text_in: M }, 4),
  realtime('cached text', { cache_read: M }, 0.4),
  realtime('text output', { text_out: M }, 16),
  realtime('audio input', { audio_in: M }, 32),
  realtime('cached audio', { cache_read_audio: M }, 0.4),
  realtime('audio output', { audio_out: M }, 64),
  realtime('image input', { image_in: M }, 5),
  realtime('cached image', { cache_read_image: M }, 0.5),
  smallRealtime('text output', { text_out: M }, 2.4),
  smallRealtime('audio input', { audio_in: M }, 10),
  smallRealtime('cached audio', { cache_read_audio: M }, 0.3),
  smallRealtime('audio output', { audio_out: M }, 20),
  newerRealtime('cached text', { cache_read: M }, 0.06),
  newerRealtime('cached audio', { cache_read_audio: M }, 0.3),

  smallImage('text input', { text_in: M }, 2),
  smallImage('cached text', { cache_read: M }, 0.2),
  smallImage('image input', { image_in: M }, 2.5),
  smallImage('cached image', { cache_read_image: M }, 0.25),
  smallImage('image output', { image_out: M }, 8),
  image('text input', { text_in: M }, 5),
  image('image input', { image_in: M }, 10),
  image('image output', { image_out: M }, 40),
  dallE('1024x1024', 'standard', 1, 0.04),
  dallE('1024x1792', 'standard', 1, 0.08),
  dallE('1024x1024', 'hd', 1, 0.08),
  dallE('1792x1024', 'hd', 2, 0.24),

  of({ source: `${OPENAI}/models/tts-1`, price: { model: 'tts-1', ratio: 7.5 } })('a million characters', { characters: M }, 15),
  of({ source: `${OPENAI}/models/tts-1-hd`, price: { model: 'tts-1-hd', ratio: 15 } })('4 000 characters', { characters: 4000 }, 0.12),
  of({ source: `${OPENAI}/models/whisper-1`, price: { model: 'whisper-1', ratio: 3 } })('a minute', { seconds: 60 }, 0.006),
  of({ source: `${OPENAI}/models/whisper-1`, price: { model: 'whisper-1', ratio: 3 } })('an hour and a half', { seconds: 5400 }, 0.54),

  tool('gpt-4o', 'web_search_preview', 1000, 25),
  tool('gpt-4.1-mini', 'web_search_preview', 2, 0.05),
  tool('o3', 'web_search_preview', 1000, 10),
  tool('gpt-5', 'web_search', 1000, 10),
  tool('gpt-4o', 'file_search', 1000, 2.5),
  tool('gpt-4.1', 'image_generation/low/1024x1024', 1, 0.011),
  tool('gpt-4.1', 'image_generation/high/1024x1536', 4, 1),
  tool('claude-sonnet-4-20250514', 'web_search', 1000, 10, `${CLAUDE}#web-search-tool`),
  tool('gemini-3-pro-preview', 'google_search', 1000, 14, GEMINI),

  longGpt('up to 272 000 tokens', { text_in: 172_000, cache_read: 100_000, text_out: 1000 }, 0.43 + 0.025 + 0.015),
  longGpt('above 272 000 tokens', { text_in: 172_001, cache_read: 100_000, text_out: 1000 }, 0.860005 + 0.05 + 0.0225),

  ...claude('claude-opus-4-1-20250805', [15, 18.75, 30, 1.5, 75]),
  ...claude('claude-sonnet-4-20250514', [3, 3.75, 6, 0.3, 15]),
  ...claude('claude-3-5-haiku-20241022', [0.8, 1, 1.6, 0.08, 4]),
  ...claude('claude-haiku-4-5-20251001', [1, 1.25, 2, 0.1, 5]),
  ...claude('claude-fable-5-1', [10, 12.5, 20, 0.25, 50], { cache_ratio: 0.025, completion_ratio: 5 }),
  longClaude('199 999 in, 2 000 out', { text_in: 199_999, text_out: 2000 }, 0.629997),
  longClaude('200 000 in', { text_in: 200_000 }, 0.6),
  longClaude('250 000 in, 2 000 out', { text_in: 250_000, text_out: 2000 }, 1.545),
  longClaude('cached tokens count for the length', { text_in: 10_000, cache_read: 190_001 }, 0.06 + 0.1140006),
  longClaude('an hour in the cache, above 200 000', { cache_write_1h: 300_000 }, 3.6),

  pro('up to 200 000 tokens', { text_in: 200_000, text_out: 1000 }, 0.26),
  pro('above 200 000 tokens', { text_in: 300_000, text_out: 1000 }, 0.765),
  pro('cached, above 200 000', { text_in: 1000, cache_read: 300_000 }, 0.0025 + 0.075),
  flash('text, image and video', { text_in: M }, 0.3),
  flash('audio', { audio_in: M }, 1),
  flash('output', { text_out: M }, 2.5),
  flash('cached text', { cache_read: M }, 0.03),
  flash('cached audio', { cache_read_audio: M }, 0.1),
  of({ source: GEMINI, price: { model: 'gemini-2.0-flash', ratio: 0.05 } })('audio', { audio_in: M }, 0.7),
  flashImage('one image of 1290 tokens', { image_out: 1290 }, 0.0387),

  deepseek('cache hit', { cache_read: M }, 0.0028),
  deepseek('cache miss', { text_in: M }, 0.14),
  deepseek('output', { text_out: M }, 0.28),
]
