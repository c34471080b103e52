import { define, SCENARIOS, type Scenario } from './scenarios.ts'
import type { Shape } from '../generator/job.ts'

/**
 * The mixed load of a small installation: about a hundred requests per second. Streams end after 0.8 s, so that thousands of them begin and
 * end in an hour.
 */
const SHORT = { kind: 'sse', hz: 50, n: 40, size: 60 } as const

const open = (rate: number): Shape => ({ kind: 'open', rate, connections: 8 })
const streams = (count: number): Shape => ({ kind: 'streams', streams: count, perSecond: 100 })
const reshaped = (scenario: Scenario, title: string, shape: Shape): Scenario => ({ ...scenario, title, shape })

export const MIX: readonly Scenario[] = [
  define('short', 'short streams', streams(10), { answer: SHORT }),
  define('shortClaude', 'short streams, OpenAI client, Anthropic vendor', streams(4), { vendor: 'anthropic', answer: SHORT }),
  define('shortGemini', 'short streams, Anthropic client, Gemini vendor', streams(4), {
    client: 'anthropic',
    vendor: 'gemini',
    answer: SHORT,
  }),
  define('shortOpenai', 'short streams, Gemini client, OpenAI vendor', streams(4), { client: 'gemini', answer: SHORT }),
  reshaped(SCENARIOS.sse200, 'streams as long as a load', streams(6)),
  reshaped(SCENARIOS.calm, 'non-stream 1 KB', open(30)),
  reshaped(SCENARIOS.whole50k, 'non-stream 50 KB', open(3)),
  reshaped(SCENARIOS.whole1m, 'non-stream 1 MB', open(0.5)),
  reshaped(SCENARIOS.poor, 'refused: empty wallet', open(5)),
  reshaped(SCENARIOS.aborts, 'streams aborted after ten chunks', { kind: 'aborts', rate: 5, afterChunks: 10 }),
  reshaped(SCENARIOS.limited, 'vendor answers 429', open(5)),
  reshaped(SCENARIOS.noUsage, 'short streams without usage', streams(4)),
  reshaped(SCENARIOS.cutUsage, 'short streams, usage cut between chunks', streams(4)),
]
