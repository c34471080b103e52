import { sql, type Kysely } from 'kysely'

/**
 * What users with many rows in an hour consumed of each model (ADR 19), for the hours that are folded already too; and the roll-up of a
 * channel by token name, which no sum is kept for.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table usage_totals drop constraint usage_totals_cut_check,
      add constraint usage_totals_cut_check check (cut in ('all', 'user', 'channel', 'token', 'busy'))`.execute(db)
  await sql`
    insert into usage_totals (cut, subject, start, type, model_name, "group", token_name, requests, quota, tokens, logged_requests, logged_quota)
    select 'busy', user_id::text, hour, type, model_name, '', '', requests, quota, tokens, logged_requests, logged_quota from (
      select hour, user_id, type, model_name, sum(requests) as requests, sum(quota) as quota, sum(prompt_tokens + completion_tokens) as tokens,
        sum(logged_requests) as logged_requests, sum(logged_quota) as logged_quota, sum(count(*)) over (partition by hour, user_id) as rows
      from usage_hours where type = 2 and hour in (select start from usage_rollup_pending where unit = 'hour' and state = 'folded')
      group by hour, user_id, type, model_name
    ) as summed where rows >= 32`.execute(db)
  // A cut that the planner has never heard of looks like one row, and any index good enough.
  await sql`analyze usage_totals`.execute(db)
  await sql`drop index usage_hours_channel`.execute(db)
  await sql`create index usage_hours_channel on usage_hours (channel_id, hour, token_name)`.execute(db)
}
