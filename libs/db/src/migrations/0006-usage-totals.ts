import { sql, type Kysely } from 'kysely'

/**
 * Coarser sums of the hourly roll-up for lists and statistics (ADR 19): `usage_rollup_pending` says which hours and days are summed up,
 * `usage_totals` holds their sums per cut, `usage_models` the names that a pattern can mean. Entries that are no requests enter
 * the roll-up too, so that its logged sums count every log row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table usage_rollup_pending (
      unit text not null check (unit in ('hour', 'day')),
      start bigint not null,
      state text not null check (state in ('open', 'marked', 'folded')),
      barrier bigint not null default 0,
      primary key (unit, start)
    )`.execute(db)
  await sql`create index usage_rollup_pending_open on usage_rollup_pending (unit, start) where state <> 'folded'`.execute(db)
  await sql`
    create table usage_totals (
      cut text not null check (cut in ('all', 'user', 'channel', 'token')),
      subject text not null,
      start bigint not null,
      type int not null,
      model_name text not null,
      "group" text not null,
      token_name text not null,
      requests bigint not null,
      quota bigint not null,
      tokens bigint not null,
      logged_requests bigint not null,
      logged_quota bigint not null,
      primary key (cut, subject, start, type, model_name, "group", token_name)
    )`.execute(db)
  await sql`create index usage_totals_start on usage_totals (start, cut)`.execute(db)
  await sql`create index usage_totals_token on usage_totals (token_name, start) where cut = 'user'`.execute(db)
  await sql`create table usage_models (model_name text primary key)`.execute(db)
  await sql`
    insert into usage_hours as h (hour, user_id, token_id, channel_id, model_name, "group", token_name, type, logged_requests, logged_quota)
    select created_at - created_at % 3600, user_id, token_id, channel_id, model_name, "group", token_name, type, count(*), sum(quota)
    from logs where type not in (2, 5) group by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (hour, user_id, token_id, channel_id, model_name, "group", token_name, type) do update set
      logged_requests = h.logged_requests + excluded.logged_requests, logged_quota = h.logged_quota + excluded.logged_quota`.execute(db)
}
