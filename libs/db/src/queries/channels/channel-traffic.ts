import type { TrafficSums } from '@tollgate/contracts/channels/effective-cost'
import { LogType } from '@tollgate/contracts/enums'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import type { Tx } from '../../connect.ts'
import { recentLogs } from './recent-logs.ts'

export type ChannelTraffic = TrafficSums & { readonly channel_id: number; readonly model: string }

type Range = { readonly since: UnixSeconds; readonly most: number }

/** The newest requests since a time, at most so many; a group whose ratio is 0 hides what its requests cost. */
export async function listChannelTraffic(tx: Tx, { since, most }: Range): Promise<{ rows: ChannelTraffic[]; is_cut: boolean }> {
  const logs = await recentLogs(tx, { since, types: [LogType.consume, LogType.error], has: 'quote' }, most)
  const { rows } = await sql<ChannelTraffic & { readonly read: number }>`
    with recent as materialized (
      -- The explanation is large: each part is taken out of it once.
      select created_at, channel_id, model_name, quota, usage, quote, explanation->>'ended_by' as ended_by,
        coalesce(explanation->'attempts', '[]'::jsonb) as attempts, explanation->'fallback'->>'asked' as asked
      from ${logs} where quote is not null
    ), one as (
      select channel_id, model_name, created_at,
        coalesce(ended_by = 'complete', true) as is_whole,
        quota / nullif((quote->>'group_ratio')::float8 * (quote->>'quota_per_unit')::float8, 0) as usd,
        -- Formats differ in whether the prompt includes what was cached.
        greatest(coalesce((usage->>'prompt_tokens')::float8, 0), coalesce((usage->>'text_in')::float8, 0) + coalesce((usage->>'cache_read')::float8, 0)
          + coalesce((usage->>'cache_write')::float8, 0) + coalesce((usage->>'cache_write_1h')::float8, 0)) as prompt,
        coalesce((usage->>'completion_tokens')::float8, 0) as output,
        coalesce((usage->>'cache_read')::float8, 0) as cached,
        coalesce((quote->>'model_ratio')::float8, 0) / 500000 as ratio,
        coalesce((quote->>'completion_ratio')::float8, 1) as completion_ratio
      from recent where channel_id <> 0
    ), failed as (
      select (attempt->>'channel_id')::bigint as channel_id, coalesce(attempt->>'model', recent.asked, recent.model_name) as model_name, count(*) as count
      from recent cross join lateral jsonb_array_elements(attempts) as attempt
      where attempt->>'outcome' not in ('answered', 'aborted') group by 1, 2
    ), summed as (
      select channel_id, model_name,
        count(*) filter (where is_whole) as requests,
        coalesce(sum(usd), 0) as usd,
        coalesce(sum(usd) filter (where not is_whole), 0) as wasted_usd,
        coalesce(sum((prompt + output * completion_ratio) * ratio) filter (where is_whole), 0) as list_usd,
        coalesce(sum(prompt + output) filter (where is_whole), 0)::bigint as useful_tokens,
        coalesce(sum(prompt), 0)::bigint as prompt_tokens, coalesce(sum(cached), 0)::bigint as cached_tokens,
        coalesce(sum(output) filter (where is_whole), 0)::bigint as output_tokens,
        max(created_at) as last_at
      from one group by 1, 2
    )
    select s.channel_id, s.model_name as model, s.requests, s.usd, s.wasted_usd, s.list_usd, s.useful_tokens, s.prompt_tokens,
      s.cached_tokens, s.output_tokens, coalesce(f.count, 0) as failed_attempts, s.last_at, (select count(*) from recent) as read
    from summed s left join failed f using (channel_id, model_name) order by s.model_name, s.channel_id`.execute(tx)
  return { rows, is_cut: (rows[0]?.read ?? 0) >= most }
}
