/** Thirty days of made-up but plausible traffic: office hours, weekends, growth, and one bad day. Pure; the same seed gives the same rows. */
export type DemoModel = {
  readonly name: string
  readonly input: number
  readonly output: number
  readonly weight: number
  readonly ms: number
}

/** Dollars per million tokens, and how often each is asked. */
export const MODELS: readonly DemoModel[] = [
  { name: 'gpt-4o', input: 2.5, output: 10, weight: 18, ms: 5200 },
  { name: 'gpt-4o-mini', input: 0.15, output: 0.6, weight: 34, ms: 2600 },
  { name: 'claude-sonnet-4-20250514', input: 3, output: 15, weight: 16, ms: 7800 },
  { name: 'claude-3-5-haiku-20241022', input: 0.8, output: 4, weight: 9, ms: 3400 },
  { name: 'gemini-2.5-pro', input: 1.25, output: 10, weight: 7, ms: 8900 },
  { name: 'gemini-2.5-flash', input: 0.3, output: 2.5, weight: 12, ms: 2900 },
  { name: 'deepseek-chat', input: 0.27, output: 1.1, weight: 14, ms: 6100 },
  { name: 'deepseek-reasoner', input: 0.55, output: 2.19, weight: 5, ms: 19_000 },
  { name: 'text-embedding-3-small', input: 0.02, output: 0, weight: 20, ms: 420 },
]

export type DemoChannel = {
  readonly name: string
  readonly type: number
  readonly prefixes: readonly string[]
  readonly cost_ratio: number
  readonly weight: number
}

export const CHANNELS: readonly DemoChannel[] = [
  { name: 'demo-openai', type: 1, prefixes: ['gpt', 'text'], cost_ratio: 0.82, weight: 75 },
  { name: 'demo-openai-backup', type: 1, prefixes: ['gpt'], cost_ratio: 0.95, weight: 5 },
  { name: 'demo-anthropic', type: 14, prefixes: ['claude'], cost_ratio: 0.88, weight: 0 },
  { name: 'demo-gemini', type: 24, prefixes: ['gemini'], cost_ratio: 0.7, weight: 0 },
  { name: 'demo-deepseek', type: 43, prefixes: ['deepseek'], cost_ratio: 0.9, weight: 0 },
]

export type DemoUser = { readonly name: string; readonly group: string; readonly weight: number; readonly tokens: readonly string[] }

export const USERS: readonly DemoUser[] = [
  { name: 'demo-support', group: 'vip', weight: 30, tokens: ['chat-widget', 'ticket-summary'] },
  { name: 'demo-research', group: 'vip', weight: 22, tokens: ['notebooks', 'batch', 'evals'] },
  { name: 'demo-mobile', group: 'default', weight: 18, tokens: ['ios', 'android'] },
  { name: 'demo-search', group: 'default', weight: 16, tokens: ['embeddings'] },
  { name: 'demo-lin', group: 'default', weight: 9, tokens: ['cursor', 'claude-code'] },
  { name: 'demo-chen', group: 'default', weight: 7, tokens: ['cherry-studio'] },
  { name: 'demo-maria', group: 'default', weight: 6, tokens: ['codex'] },
  { name: 'demo-tanaka', group: 'default', weight: 5, tokens: ['translator'] },
  { name: 'demo-ci', group: 'default', weight: 4, tokens: ['ci'] },
  { name: 'demo-intern', group: 'default', weight: 2, tokens: ['playground'] },
]

export type DemoRequest = {
  readonly at: number
  /** Places in USERS, its tokens, CHANNELS and MODELS. */
  readonly user: number
  readonly token: number
  readonly channel: number
  readonly model: number
  readonly isFailed: boolean
  readonly prompt_tokens: number
  /** The part of the prompt that was read from a cache. */
  readonly cached_tokens: number
  readonly completion_tokens: number
  readonly use_time_ms: number
  readonly first_token_ms: number
}

const HOUR = 3600
const DAYS = 30
/** Share of a day's requests by hour: a night's rest, a lunch dip, an evening. */
const BY_HOUR = [2, 1, 1, 1, 1, 2, 4, 8, 14, 19, 21, 20, 13, 16, 20, 21, 19, 15, 10, 8, 8, 7, 5, 3]
/** Sunday first. */
const BY_DAY = [0.35, 1, 1.08, 1.12, 1.05, 0.92, 0.4]
const BAD_DAY = 9
const CACHED_SHARE = 0.7

type TrafficInput = {
  /** Unix seconds. */
  readonly now: number
  /** Seconds east of UTC of the office. */
  readonly timezone: number
  readonly perDay: number
  readonly random: () => number
}

/** The requests of the last thirty days, oldest first. */
export function* demoTraffic({ now, timezone, perDay, random }: TrafficInput): Generator<DemoRequest> {
  const total = BY_HOUR.reduce((sum, one) => sum + one, 0)
  const first = now - (now % HOUR) - DAYS * 24 * HOUR
  for (let hour = first; hour < now; hour += HOUR) {
    const local = new Date((hour + timezone) * 1000)
    const day = Math.floor((hour - first) / (24 * HOUR))
    const growth = 0.7 + (0.6 * day) / DAYS
    const noise = 0.8 + 0.4 * random()
    const share = (BY_HOUR[local.getUTCHours()] ?? 1) / total
    const until = Math.min(HOUR, now - hour)
    const expected = perDay * share * (BY_DAY[local.getUTCDay()] ?? 1) * growth * noise * (until / HOUR)
    const count = Math.floor(expected + random())
    const isBad = day === BAD_DAY && local.getUTCHours() >= 10 && local.getUTCHours() < 15
    const moments = Array.from({ length: count }, () => hour + Math.floor(random() * until)).sort((a, b) => a - b)
    for (const at of moments) yield demoRequest(at, isBad, random)
  }
}

function demoRequest(at: number, isBad: boolean, random: () => number): DemoRequest {
  const user = pick(
    USERS.map(({ weight }) => weight),
    random,
  )
  // Each user has favourites: every third model weighs much more.
  const model = pick(
    MODELS.map(({ weight }, index) => weight * ((index + user) % 3 === 0 ? 4 : 1)),
    random,
  )
  const { name = '', output = 0, ms = 1000 } = MODELS[model] ?? {}
  const serving = CHANNELS.flatMap(({ prefixes }, index) => (prefixes.some((prefix) => name.startsWith(prefix)) ? [index] : []))
  const channel = serving[random() < 0.85 ? 0 : serving.length - 1] ?? 0
  const isFailed = random() < (isBad && channel === 2 ? 0.55 : 0.012)
  const spread = 0.25 + random() * random() * 5
  const prompt_tokens = isFailed ? 0 : Math.round(900 * spread)
  const completion_tokens = isFailed || output === 0 ? 0 : Math.round(420 * (0.2 + random() * 1.8))
  // A few requests take several times as long as most.
  const use_time_ms = Math.round((isFailed ? 900 : ms) * (0.5 + random() + 2 * random() ** 8) * (isBad ? 1.8 : 1))
  return {
    at,
    user,
    token: Math.floor(random() * random() * (USERS[user]?.tokens.length ?? 1)),
    channel,
    model,
    isFailed,
    prompt_tokens,
    cached_tokens: name.startsWith('text') ? 0 : Math.round(prompt_tokens * CACHED_SHARE * random()),
    completion_tokens,
    use_time_ms,
    first_token_ms: Math.round(use_time_ms * (0.1 + 0.15 * random())),
  }
}

function pick(weights: readonly number[], random: () => number): number {
  let rest = random() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, weight] of weights.entries()) {
    rest -= weight
    if (rest < 0) return index
  }
  return weights.length - 1
}

/** Random numbers that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
