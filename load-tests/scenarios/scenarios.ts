import type { ResponseSpec } from '../vendor/response-spec.ts'
import type { Shape } from '../generator/job.ts'
import type { ClientFormat } from './bodies.ts'

/** One kind of load, shared by bench and soak. */
export type Scenario = {
  readonly name: string
  readonly title: string
  readonly client: ClientFormat
  /** Format of the vendor; the relay translates if it differs from the client's. */
  readonly vendor: ClientFormat
  readonly bodyBytes: number
  readonly answer: Partial<ResponseSpec>
  readonly shape: Shape
  readonly accounts: 'rich' | 'poor'
  readonly thresholds: Thresholds
}

export type Thresholds = {
  /** Allowed share of requests that fail or have another status than `status`. */
  readonly failed: number
  /** Expected status. */
  readonly status: '200' | '403' | '429' | 'aborted' | 'none'
}

const KB = 1024
const FINE: Thresholds = { failed: 0.001, status: '200' }
const SSE_50 = { kind: 'sse', hz: 50, n: 100_000, size: 60 } as const
const SSE_SLOW = { kind: 'sse', hz: 0.2, n: 100_000, size: 60 } as const

type Rest = Partial<Omit<Scenario, 'name' | 'title' | 'shape'>>

export const define = (name: string, title: string, shape: Shape, rest: Rest = {}): Scenario => ({
  name,
  title,
  shape,
  client: 'openai',
  vendor: 'openai',
  bodyBytes: KB,
  answer: { kind: 'json', size: 900 },
  accounts: 'rich',
  thresholds: FINE,
  ...rest,
})

const open = (rate: number): Shape => ({ kind: 'open', rate, connections: 64 })
const streams = (count: number, perSecond = 1000): Shape => ({ kind: 'streams', streams: count, perSecond })

export const SCENARIOS = {
  whole1k: define('whole1k', 'non-stream 1 KB, 3 000/s', open(3000)),
  whole50k: define('whole50k', 'non-stream 50 KB, 1 500/s', open(1500), { bodyBytes: 50 * KB }),
  whole500k: define('whole500k', 'non-stream 500 KB, 50/s', open(50), { bodyBytes: 500 * KB }),
  whole1m: define('whole1m', 'non-stream 1 MB, 5/s (beside small streams)', open(5), { bodyBytes: KB * KB }),
  calm: define('calm', 'non-stream 1 KB, 200/s', open(200)),
  steady: define('steady', 'non-stream 1 KB, 1 000/s', open(1000)),
  most1k: define('most1k', 'non-stream 1 KB, saturation', { kind: 'closed', connections: 64 }),
  most50k: define('most50k', 'non-stream 50 KB, saturation', { kind: 'closed', connections: 64 }, { bodyBytes: 50 * KB }),
  sse200: define('sse200', '200 streams × 50 chunks/s', streams(200), { answer: SSE_50 }),
  sse2000: define('sse2000', '2 000 streams × 50 chunks/s', streams(2000), { answer: SSE_50 }),
  slow2000: define('slow2000', '2 000 slow streams', streams(2000), { answer: SSE_SLOW }),
  // Opened slowly, so that the bursts of 200 KB are not a load themselves.
  slowAfter200k: define('slowAfter200k', '2 000 slow streams after 200 KB each', streams(2000, 200), {
    answer: { ...SSE_SLOW, burst: 200 * KB },
  }),
  openaiToAnthropic: define('openaiToAnthropic', '200 × 50/s, OpenAI client, Anthropic vendor', streams(200), {
    vendor: 'anthropic',
    answer: SSE_50,
  }),
  openaiToGemini: define('openaiToGemini', '200 × 50/s, OpenAI client, Gemini vendor', streams(200), { vendor: 'gemini', answer: SSE_50 }),
  anthropicToOpenai: define('anthropicToOpenai', '200 × 50/s, Anthropic client, OpenAI vendor', streams(200), {
    client: 'anthropic',
    answer: SSE_50,
  }),
  anthropicToGemini: define('anthropicToGemini', '200 × 50/s, Anthropic client, Gemini vendor', streams(200), {
    client: 'anthropic',
    vendor: 'gemini',
    answer: SSE_50,
  }),
  geminiToOpenai: define('geminiToOpenai', '200 × 50/s, Gemini client, OpenAI vendor', streams(200), { client: 'gemini', answer: SSE_50 }),
  geminiToAnthropic: define('geminiToAnthropic', '200 × 50/s, Gemini client, Anthropic vendor', streams(200), {
    client: 'gemini',
    vendor: 'anthropic',
    answer: SSE_50,
  }),
  poor: define('poor', 'wallets too small, every request refused, 1 000/s', open(1000), {
    accounts: 'poor',
    thresholds: { failed: 0.001, status: '403' },
  }),
  stalled: define(
    'stalled',
    '20 clients that never read × 20 MB',
    { kind: 'stalled', clients: 20 },
    {
      answer: { kind: 'blast', size: 20 * KB * KB },
      thresholds: { failed: 0, status: 'none' },
    },
  ),
  aborts: define(
    'aborts',
    '100 streams/s aborted after 10 chunks',
    { kind: 'aborts', rate: 100, afterChunks: 10 },
    {
      answer: SSE_50,
      thresholds: { failed: 0.001, status: 'aborted' },
    },
  ),
  limited: define('limited', 'vendor answers 429, 200/s', open(200), {
    answer: { kind: 'json', fault: '429' },
    thresholds: { failed: 0.001, status: '429' },
  }),
  noUsage: define('noUsage', 'short streams without usage', streams(100), {
    answer: { kind: 'sse', hz: 50, n: 40, size: 60, fault: 'no-usage' },
  }),
  cutUsage: define('cutUsage', 'short streams, usage cut between chunks', streams(100), {
    answer: { kind: 'sse', hz: 50, n: 40, size: 60, fault: 'cut-usage' },
  }),
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof SCENARIOS
