import { CHANNEL_TEST_NAME } from '@tollgate/contracts/channels/channel-test-name'
import { LogType } from '@tollgate/contracts/enums'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { DEFAULT_QUOTA_PER_UNIT } from '@tollgate/contracts/units'
import { addUsageHours, insertLogs } from '@tollgate/db/queries/ledger/posting'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { quoteFor } from '@tollgate/domain/pricing/quote'
import { findPublishedGroup, findPublishedPrice } from '@tollgate/redis/snapshot/snapshot-field'
import type { Deps } from '../deps.ts'

export type TestedCall = {
  readonly channel: ChannelSnapshot
  /** The last characters of the key. */
  readonly key: string
  readonly model: string
  readonly usage: Usage
  readonly time_ms: number
}

/** Tests are logged for the first user, as existing consoles expect, and are not charged: their cost is only in `other`. */
const TESTER = { user_id: 1, group: 'default' } as const

/** Appends the log row of a channel test and counts it in the hour's logged rows. */
export async function recordTestLog(
  deps: Pick<Deps, 'db' | 'redis' | 'now'>,
  { channel, key: tail, model, usage, time_ms }: TestedCall,
): Promise<void> {
  const nowSeconds = Math.floor(deps.now() / 1000)
  const tester = await deps.db.selectFrom('users').select(['username', 'group']).where('id', '=', TESTER.user_id).executeTakeFirst()
  const group = tester?.group ?? TESTER.group
  const key = {
    user_id: TESTER.user_id,
    token_id: 0,
    channel_id: channel.id,
    model_name: model,
    group,
    token_name: CHANNEL_TEST_NAME,
    type: LogType.consume,
  }
  const { prompt_tokens, completion_tokens } = usage
  const admin_info = { use_channel: [String(channel.id)], ...(tail === '' ? {} : { key: `…${tail}` }) }
  const other = JSON.stringify({ ...(await costOf(deps, model, group, usage)), admin_info })
  await deps.db.transaction().execute(async (tx) => {
    await insertLogs(tx, [
      {
        ...key,
        created_at: nowSeconds,
        username: tester?.username ?? '',
        quota: 0,
        prompt_tokens,
        completion_tokens,
        use_time: Math.round(time_ms / 1000),
        is_stream: false,
        content: CHANNEL_TEST_NAME,
        other,
        request_id: '',
        state: 'settled',
        usage,
        quote: null,
        explanation: null,
      },
    ])
    await addUsageHours(tx, [
      {
        ...key,
        hour: nowSeconds - (nowSeconds % 3600),
        requests: 0,
        quota: 0,
        token_quota: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        use_time_ms: 0,
        logged_requests: 1,
        logged_quota: 0,
      },
    ])
  })
}

/** The cost of the test; zeros when the model has no price, because consoles compute with every field. */
async function costOf({ redis }: Pick<Deps, 'redis'>, model: string, group: string, usage: Usage): Promise<Record<string, number>> {
  const [price, ratio] = await Promise.all([findPublishedPrice(redis, model), findPublishedGroup(redis, group)])
  const quote = quoteFor({
    model,
    group,
    prices: (name) => (name === model ? price : undefined),
    group_ratio: ratio?.ratio ?? 1,
    quota_per_unit: DEFAULT_QUOTA_PER_UNIT,
    price_version: 0,
    isUnpricedAllowed: false,
  })
  if (quote === 'unpriced') return { ...UNPRICED, group_ratio: ratio?.ratio ?? 1 }
  const isRatio = quote.mode === 'ratio'
  return {
    test_cost: chargeOf(quote, usage).charge,
    group_ratio: quote.group_ratio,
    model_ratio: isRatio ? quote.model_ratio : 0,
    completion_ratio: isRatio ? quote.completion_ratio : 0,
    cache_tokens: usage.cache_read,
    cache_ratio: isRatio ? quote.cache_ratio : 0,
    model_price: isRatio ? -1 : quote.model_price,
    frt: -1000,
  }
}

const UNPRICED = {
  test_cost: 0,
  model_ratio: 0,
  completion_ratio: 0,
  cache_tokens: 0,
  cache_ratio: 0,
  model_price: -1,
  frt: -1000,
} as const
