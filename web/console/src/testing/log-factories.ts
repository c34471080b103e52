import { ZERO_USAGE, type Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import type { Log, LogExplanation } from '@tollgate/contracts/resources/logs'
import type { Attempt, Explanation } from '@tollgate/contracts/relay/usage-event'

export const aLog = (change: Partial<Log> = {}): Log => ({
  id: 1,
  user_id: 1,
  created_at: 1_750_000_000,
  type: 2,
  content: '',
  username: 'alice',
  token_name: 'app',
  model_name: 'gpt-4o',
  quota: 90,
  prompt_tokens: 12,
  completion_tokens: 6,
  use_time: 2,
  is_stream: true,
  channel: 2,
  channel_name: 'backup',
  token_id: 1,
  group: 'default',
  other: '{"model_ratio":1.25,"model_price":-1,"frt":124,"admin_info":{"use_channel":["4","2"]}}',
  request_id: '20260615120000000000000abc',
  state: 'settled',
  ...change,
})

export const anAttempt = (change: Partial<Attempt> = {}): Attempt => ({
  channel_id: 2,
  channel_name: 'backup',
  channel_type: 1,
  upstream_model: 'gpt-4o',
  started_ms: 2,
  first_byte_ms: 126,
  ended_ms: 1_400,
  outcome: 'answered',
  status: 200,
  ...change,
})

export const anExplanation = (change: Partial<Explanation> = {}): Explanation => ({
  steps: [
    { step: 'reserve', started_ms: 0, ended_ms: 1 },
    { step: 'dispatch', started_ms: 1, ended_ms: 130 },
    { step: 'deliver', started_ms: 130, ended_ms: 1_400 },
  ],
  attempts: [
    anAttempt({
      channel_id: 4,
      channel_name: 'flaky',
      outcome: 'refused',
      status: 500,
      first_byte_ms: 1.8,
      started_ms: 1,
      ended_ms: 2,
      message: 'scripted status 500',
    }),
    anAttempt(),
  ],
  candidates: [
    { channel_id: 3, channel_name: 'slow', priority: 1, weight: 0, result: 'lower-priority' },
    { channel_id: 5, channel_name: 'off', priority: 30, weight: 0, result: 'disabled' },
    { channel_id: 2, channel_name: 'backup', priority: 10, weight: 0, result: 'chosen' },
    { channel_id: 4, channel_name: 'flaky', priority: 20, weight: 0, result: 'chosen' },
  ],
  candidates_cut: 0,
  wallet_held: 500,
  token_held: 0,
  spendable_after_reserve: 9_500,
  warnings: [],
  raw_usage: '{"prompt_tokens":12,"completion_tokens":6}',
  client: { ip: '203.0.113.7', user_agent: 'openai-node', method: 'POST', path: '/v1/chat/completions' },
  is_cut: false,
  ...change,
})

export const aQuote = (change: object = {}): Quote => ({
  mode: 'ratio',
  model: 'gpt-4o',
  group: 'default',
  group_ratio: 1,
  quota_per_unit: 500_000,
  price_version: 3,
  model_ratio: 1.25,
  completion_ratio: 4,
  cache_ratio: 0.5,
  cache_creation_ratio: 1.25,
  image_ratio: 1,
  audio_ratio: 1,
  audio_completion_ratio: 1,
  is_unpriced: false,
  ...change,
})

export const aUsage = (change: Partial<Usage> = {}): Usage => ({
  ...ZERO_USAGE,
  text_in: 12,
  text_out: 6,
  prompt_tokens: 12,
  completion_tokens: 6,
  source: 'upstream',
  ...change,
})

export const aLogExplanation = (change: Partial<LogExplanation> = {}): LogExplanation => ({
  log: aLog(),
  quote: aQuote(),
  usage: aUsage(),
  charge: {
    charge: 45,
    lines: [
      {
        kind: 'input',
        tokens: 12,
        factors: [
          { name: 'model_ratio', value: '1.25' },
          { name: 'group_ratio', value: '1' },
        ],
        quota: '15',
      },
      {
        kind: 'output',
        tokens: 6,
        factors: [
          { name: 'model_ratio', value: '1.25' },
          { name: 'completion_ratio', value: '4' },
          { name: 'group_ratio', value: '1' },
        ],
        quota: '30',
      },
    ],
  },
  session: '',
  explanation: anExplanation(),
  ended_by: 'complete',
  client_status: 200,
  token_charge: 0,
  ...change,
})
