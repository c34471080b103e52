import { createRandom, type Random } from './random.ts'

/** The vendor's behaviour for a request. Derived from the request's id, which is in the prompt and so reaches the vendor in any client format. */
export type Script = {
  readonly id: string
  readonly act: Act
  /** Number of pieces, each of WORDS_PER_PIECE words. */
  readonly pieces: number
  readonly pace_ms: number
  readonly first_ms: number
}

export const ACTS = ['plain', 'no-usage', 'usage-twice', 'reset', 'cut', 'stall', '429', '500', 'garbage', 'error-in-200', 'flaky'] as const
export type Act = (typeof ACTS)[number]

export const PIECE = 'the time of day '
export const WORDS_PER_PIECE = 4

/** The prompt that carries an id. */
export const promptOf = (id: string): string => `What is the time of this day, and why is it so? Request ${id}.`
/** Usage that the vendor reports for every prompt: 21 tokens by gpt-tokenizer plus OpenAI's 3 per message. */
export const PROMPT_TOKENS = 24
/** Finds the id in the converted request. */
export const ID_IN_PROMPT = /Request (c\d+-\d+)\./

export const MODELS = { perCall: 'chaos-call', perToken: 'chaos-token' } as const
/** Prices as the options state them: 0.002 USD a call; ratio 2 and completion ratio 3 for tokens. */
export const PRICES = { call_usd: 0.002, call_quota: 1000, ratio: 2, completion_ratio: 3 } as const

/** Groups and their ratios. Tokens of the group `auto` try `AUTO_GROUPS` in this order; the first one's channel fails often. */
export const GROUP_RATIOS = { default: 1, shaky: 1.5, dear: 3 } as const
export type Group = keyof typeof GROUP_RATIOS
export const GROUPS = ['default', 'shaky', 'dear'] as const satisfies readonly Group[]
export const AUTO_GROUPS = ['shaky', 'dear'] as const satisfies readonly Group[]

type Usage = { readonly prompt_tokens: number; readonly completion_tokens: number }

/** Cost of a request in the group that answered it when its usage is known. */
export function priceOf(model: string, usage: Usage, group: Group): number {
  const base =
    model === MODELS.perCall ? PRICES.call_quota : (usage.prompt_tokens + usage.completion_tokens * PRICES.completion_ratio) * PRICES.ratio
  return base * GROUP_RATIOS[group]
}

const USUAL: readonly Act[] = ['plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'no-usage', 'usage-twice']

export const idOf = (seed: number, number: number): string => `c${seed}-${number}`

/** The random numbers of one request; `purpose` separates the client's from the vendor's. */
export function randomOf(id: string, purpose: number): Random {
  const [seed = 0, number = 0] = id.slice(1).split('-').map(Number)
  return createRandom(seed * 1_000_003 + number * 7 + purpose)
}

/** How the channel of the group `shaky` refuses a request before its script begins; undefined: it does not. */
export function refusalOf(id: string): '429' | '500' | 'reset' | undefined {
  const random = randomOf(id, 2)
  return random.chance(0.3) ? random.pick(['429', '500', 'reset']) : undefined
}

export function scriptOf(id: string): Script {
  const random = randomOf(id, 0)
  const act = random.chance(0.8) ? random.pick(USUAL) : random.pick(ACTS)
  const isLong = random.chance(0.05)
  return {
    id,
    act,
    pieces: isLong ? random.between(20, 80) : random.between(1, 8),
    pace_ms: isLong ? random.between(40, 120) : random.pick([0, 0, 0, 5, 20]),
    first_ms: random.pick([0, 0, 0, 5, 30, 120]),
  }
}
