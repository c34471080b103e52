import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import { encodeEventBody, type EventBodyFields } from '@tollgate/contracts/relay/event-codec/usage-event-codec'
import { STEPS, type UsageEventBody } from '@tollgate/contracts/relay/usage-event'
import type { Quota } from '@tollgate/contracts/units'
import { quotaOf } from '@tollgate/domain/pricing/charge'

/** Numbers of models and channels as in a busy gateway, so that rollups have as many rows. */
const MODELS = 12
const CHANNELS = 8
const USER_AGENT = 'OpenAI/Python 1.109.1'

/** The event of one answered request, with every field that a relay writes: about 0.4 KB. */
export function benchEvent(account: number, at: number): { readonly charge: Quota; readonly body: string } {
  const channel_id = 1 + (at % CHANNELS)
  const model_name = `vendor-model-${at % MODELS}`
  const channel = { channel_id, channel_name: `channel ${channel_id}`, channel_type: 1 }
  const text_in = 20 + (at % 900)
  const text_out = 50 + (at % 400)
  const quote = quoteOf(model_name)
  const usage = usageOf(text_in, text_out)
  const charge = quotaOf(quote, usage)
  const body: EventBodyFields = {
    state: 'settled',
    by: 'relay',
    user_id: account,
    token_id: account,
    username: `user-${account}`,
    token_name: `token-${account}`,
    group: 'default',
    model_name,
    upstream_model: model_name,
    ...channel,
    is_stream: at % 2 === 0,
    started_at: Date.now() - 1500,
    duration_ms: 1500.4,
    first_token_ms: at % 2 === 0 ? 212.7 : -1000,
    quote,
    usage,
    token_charge: charge,
    client_status: 200,
    ended_by: 'complete',
    explanation: {
      steps: STEPS.flatMap((step, index) => [step, Math.round(index * 4 + 4) / 10]),
      attempts: [
        {
          ...channel,
          upstream_model: model_name,
          started_ms: 2.4,
          first_byte_ms: 212.7,
          status: 200,
          ended_ms: 1500.1,
          outcome: 'answered',
        },
      ],
      candidates: [
        { channel_id, channel_name: channel.channel_name, priority: 0, weight: 1, result: 'chosen' },
        { channel_id: channel_id + 1, channel_name: `channel ${channel_id + 1}`, priority: 0, weight: 1, result: 'not-drawn' },
      ],
      wallet_held: HELD,
      token_held: HELD,
      spendable_after_reserve: 999_999_998_461,
      raw_usage: JSON.stringify({ prompt_tokens: text_in, completion_tokens: text_out, total_tokens: text_in + text_out }),
      client: { ip: '203.0.113.7', user_agent: USER_AGENT, method: 'POST', path: '/v1/chat/completions' },
    },
  }
  return { charge, body: encodeEventBody(body) }
}

/** More than the charge of any of these events. */
export const HELD = 5000

function quoteOf(model: string): UsageEventBody['quote'] {
  return {
    model,
    group: 'default',
    group_ratio: 1,
    quota_per_unit: 500_000,
    price_version: 1,
    mode: 'ratio',
    model_ratio: 1.25,
    completion_ratio: 4,
    cache_ratio: 1,
    cache_creation_ratio: 1.25,
    cache_creation_1h_ratio: 2,
    image_ratio: 1,
    audio_ratio: 20,
    audio_completion_ratio: 2,
    is_unpriced: false,
  }
}

function usageOf(text_in: number, text_out: number): UsageEventBody['usage'] {
  return {
    ...ZERO_USAGE,
    text_in,
    text_out,
    prompt_tokens: text_in,
    completion_tokens: text_out,
    source: 'upstream',
  }
}
