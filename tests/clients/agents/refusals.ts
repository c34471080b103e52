import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { startFormatVendor } from '@tollgate/testing/format-vendor'
import type { FormatCall, FormatReply } from '@tollgate/testing/format-scripts/script'
import { aChannel, openTestbed, type Testbed } from '../../../services/relay/test/test-relay.ts'
import type { Agent } from './agents.ts'
import { startCountingProxy } from './counting-proxy.ts'
import { fetchAgent, openSession } from './session.ts'

/** An agent that still repeats its request after this time is ended. */
const PATIENCE_MS = 25_000
const PROMPT = 'Say the word PONG.'
const GOOD: FormatReply = { kind: 'text', text: 'PONG' }

/** Where each agent's requests go: a vendor of its own format. */
const SEATS = {
  'claude-code': { type: 14, model: 'claude-opus-4-7', format: 'messages' },
  codex: { type: 1, model: 'gpt-5.5', format: 'responses' },
  'gemini-cli': { type: 24, model: 'gemini-2.5-flash', format: 'gemini' },
  opencode: { type: 43, model: 'team-model', format: 'chat' },
} as const
type Seat = keyof typeof SEATS

/** The requests of an agent (the most, where it is ended while it repeats), and what it prints. */
type Expected = readonly [requests: number | readonly [number, number], prints: RegExp]

type Situation = {
  readonly name: string
  readonly account?: Partial<TokenRecord> & { readonly credited?: number; readonly granted?: number }
  /** A key that is not the account's. */
  readonly key?: string
  readonly channels?: 'none' | 'disabled' | 'claude'
  readonly isUnpriced?: boolean
  readonly options?: Readonly<Record<string, string>>
  /** One request uses the limit up first. */
  readonly isWarmed?: boolean
  /** `count`: calls of this agent's before this one. */
  readonly vendor?: (call: FormatCall, count: number) => FormatReply
  readonly expected: Readonly<Record<Seat, Expected>>
}

const everyone = (requests: Expected[0], prints: RegExp): Readonly<Record<Seat, Expected>> => ({
  'claude-code': [requests, prints],
  codex: [requests, prints],
  'gemini-cli': [requests, prints],
  opencode: [requests, prints],
})
/** Claude Code asks twice and has words of its own for a missing model. */
const missing = (prints: RegExp) => ({ ...everyone(1, prints), 'claude-code': [2, /issue with the selected model/] as const })
/** Codex names quotas in words of its own, and repeats what is neither 429 nor 404 nor 400. */
const unpaid = (prints: RegExp) => ({ ...everyone(1, prints), codex: [1, /Quota exceeded/] as const })
const denied = (prints: RegExp) => ({ ...everyone(1, prints), codex: [6, prints] as const })
const error = (status: number, message: string, more: object = {}): FormatReply => ({ kind: 'error', status, message, ...more })
const once =
  (reply: FormatReply) =>
  (_call: FormatCall, count: number): FormatReply =>
    count === 0 ? reply : GOOD

const SITUATIONS: readonly Situation[] = [
  { name: 'wallet empty', account: { credited: 0 }, expected: unpaid(/Your wallet is empty/) },
  { name: 'wallet too small', account: { credited: 500 }, expected: unpaid(/Your balance is \$0\.00/) },
  { name: 'token used up', account: { status: 4 }, expected: unpaid(/used up its quota/) },
  { name: 'token’s quota too small', account: { is_unlimited: false, granted: 500 }, expected: unpaid(/token/i) },
  { name: 'model not in the token’s list', account: { model_limits: ['other'] }, expected: missing(/may not use model/) },
  { name: 'model unknown', channels: 'none', expected: missing(/no channel|model/i) },
  { name: 'channels disabled by hand', channels: 'disabled', expected: missing(/no channel|model/i) },
  { name: 'no price', isUnpriced: true, expected: missing(/price/i) },
  { name: 'token disabled', account: { status: 2 }, expected: denied(/token/i) },
  { name: 'token expired', account: { status: 3 }, expected: denied(/expired/i) },
  { name: 'token unknown', key: `sk-${'x'.repeat(48)}`, expected: denied(/token/i) },
  { name: 'user banned', account: { user_status: 2 }, expected: denied(/banned/i) },
  { name: 'address not allowed', account: { allow_ips: ['10.0.0.0/8'] }, expected: denied(/IP/) },
  { name: 'group without a ratio', account: { group: 'gone' }, expected: denied(/group/i) },
  {
    name: 'sensitive word',
    options: { CheckSensitiveEnabled: 'true', CheckSensitiveOnPromptEnabled: 'true', SensitiveWords: 'PONG' },
    expected: { ...everyone(1, /sensitive/i), 'claude-code': [1, /Output blocked by content filtering policy/] },
  },
  {
    name: 'requests of an hour used up',
    options: { ModelRequestRateLimitEnabled: 'true', ModelRequestRateLimitDurationMinutes: '60', ModelRequestRateLimitCount: '1' },
    isWarmed: true,
    expected: { ...everyone(1, /limit/i), opencode: [[1, 6], /limit|PONG|^/i], codex: [1, /429|limit/i] },
  },
  { name: 'vendor 503, once', vendor: once(error(503, 'overloaded')), expected: everyone(2, /PONG/) },
  { name: 'vendor 500, once', vendor: once(error(500, 'boom')), expected: everyone(2, /PONG/) },
  {
    name: 'vendor 429 that names 2 s, once',
    vendor: once(error(429, 'slow down', { headers: { 'retry-after': '2' } })),
    expected: everyone(2, /PONG/),
  },
  { name: 'vendor 429 without a wait, once', vendor: once(error(429, 'slow down')), expected: everyone(2, /PONG/) },
  {
    name: 'vendor refuses our key',
    vendor: () => error(401, 'Incorrect API key provided: sk-op***7'),
    expected: { ...everyone([2, 40], /administrator|^/), 'claude-code': [1, /administrator/] },
  },
  {
    name: 'our account at the vendor is empty',
    vendor: () => error(402, 'Insufficient Balance'),
    expected: { ...everyone([2, 40], /administrator|^/), 'claude-code': [1, /administrator/] },
  },
  {
    name: 'vendor refuses a field',
    vendor: () => error(400, 'temperature: must be below 1'),
    expected: { ...everyone(1, /temperature/), 'claude-code': [[1, 6], /temperature/] },
  },
  {
    name: 'filtered at the end, same format',
    vendor: () => ({ kind: 'filtered' }),
    expected: {
      'claude-code': [[1, 2], /safeguards|aup/i],
      codex: [[1, 6], /content_filter|policy/i],
      'gemini-cli': [[1, 4], /./s],
      opencode: [1, /filter/i],
    },
  },
  {
    name: 'filtered at the end, by Claude',
    channels: 'claude',
    vendor: () => ({ kind: 'filtered' }),
    expected: {
      'claude-code': [[1, 2], /safeguards|aup/i],
      codex: [1, /policy/],
      'gemini-cli': [[1, 4], /./s],
      opencode: [1, /filter/i],
    },
  },
  {
    name: 'context too long, in the first turn',
    vendor: once(error(400, 'prompt is too long: 210000 tokens > 200000 maximum')),
    expected: {
      'claude-code': [[1, 2], /too long|PONG/],
      codex: [1, /ran out of room/],
      'gemini-cli': [1, /too long/],
      opencode: [[1, 3], /PONG|too long/],
    },
  },
]

/** Runs every refusal with all agents at once; those that did something else. */
export async function runRefusals(agents: readonly Agent[]): Promise<string[]> {
  const counts = new Map<string, number>()
  let situation: Situation | undefined
  const vendor = await startFormatVendor((call) => {
    const model = typeof call.body['model'] === 'string' ? call.body['model'] : 'gemini-2.5-flash'
    const count = counts.get(model) ?? 0
    if (call.tools.length > 0) counts.set(model, count + 1)
    return call.tools.length === 0 ? { kind: 'text', text: 'Title' } : (situation?.vendor?.(call, count) ?? GOOD)
  })
  const testbed = await openTestbed()
  const failures: string[] = []
  const seated = agents.filter(({ name }) => name in SEATS)
  try {
    await testbed.publish({ channels: [] })
    const relay = await testbed.startRelay()
    const binaries = new Map<string, string>()
    for (const agent of seated) binaries.set(agent.name, await fetchAgent(agent))
    console.log(`| situation | ${seated.map(({ name }) => name).join(' | ')} |\n|---|${seated.map(() => '---|').join('')}`)
    for (const [at, one] of SITUATIONS.entries()) {
      situation = one
      counts.clear()
      await publish(testbed, vendor.url, one, 1000 * (at + 1))
      const cells = await Promise.all(
        seated.map(async (agent) => {
          const seat = agent.name as Seat // filtered above
          const found = await refuse(testbed, agent, { one, relay: relay.url, binary: binaries.get(agent.name) ?? '' })
          const [requests, prints] = one.expected[seat]
          const [least, most] = typeof requests === 'number' ? [requests, requests] : requests
          const isExpected = found.requests >= least && found.requests <= most && prints.test(found.printed)
          if (!isExpected) failures.push(`${one.name} with ${agent.name}`)
          return `${isExpected ? '' : '**unexpected** '}${found.requests} in ${found.seconds} s: ${found.printed.replace(/\s+/g, ' ').replaceAll('|', '/').slice(-160)}`
        }),
      )
      console.log(`| ${one.name} | ${cells.join(' | ')} |`)
    }
  } finally {
    await testbed.close()
    await vendor.stop()
  }
  return failures
}

async function publish(testbed: Testbed, url: string, { channels, isUnpriced, options }: Situation, firstId: number): Promise<void> {
  const seats = Object.values(SEATS)
  const placed = seats.map(({ type, model }, at) =>
    aChannel(url, {
      id: firstId + at,
      type: channels === 'claude' ? 14 : type,
      models: [model],
      status: channels === 'disabled' ? 2 : 1,
      ...(channels === 'claude' ? { model_mapping: { [model]: 'claude-sonnet-4-5' } } : {}),
    }),
  )
  await testbed.publish({
    channels: channels === 'none' ? [] : placed,
    prices: isUnpriced === true ? [] : seats.map(({ model }) => ({ model, ratio: 1, completion_ratio: 4 })),
    options: { RetryTimes: '0', ...options },
  })
}

type Refused = { readonly requests: number; readonly seconds: number; readonly printed: string }

async function refuse(
  testbed: Testbed,
  agent: Agent,
  { one, relay, binary }: { readonly one: Situation; readonly relay: string; readonly binary: string },
): Promise<Refused> {
  const account = await testbed.anAccount(one.account)
  const key = one.key ?? `sk-${account.key}`
  if (one.isWarmed === true) await warm(relay, key)
  const proxy = await startCountingProxy(relay)
  const session = await openSession(agent, { binary, url: proxy.url, key })
  const from = Date.now()
  try {
    const { stdout, stderr } = await session.turn(1, PROMPT, PATIENCE_MS)
    return { requests: proxy.requests(), seconds: Math.round((Date.now() - from) / 1000), printed: `${stderr}\n${stdout}`.trim() }
  } finally {
    await session.close()
    proxy.stop()
  }
}

async function warm(relay: string, key: string): Promise<void> {
  const answer = await fetch(`${relay}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: SEATS.opencode.model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await answer.text()
}
