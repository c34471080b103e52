import { sql, type Kysely } from 'kysely'

/**
 * Refunds of tasks become a part of every sum of use: a column of the user, and a negative amount in the use of token and channel and
 * in the hour of the refund. Rows of the log are not added for refunds of the past.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column refunded bigint not null default 0`.execute(db)
  await sql`
    create temporary table past on commit drop as
    select e.user_id, t.token_id, t.channel_id, t.model, e.amount, e.created_at - e.created_at % 3600 as hour,
      coalesce((select l."group" from logs l where l.request_id = t.request_id and l.request_id <> '' limit 1), '') as "group",
      coalesce((select l.token_name from logs l where l.request_id = t.request_id and l.request_id <> '' limit 1), '') as token_name
    from wallet_entries e join tasks t on t.task_id = split_part(e.reference, ':', 2)
    where e.kind = 'refund' and e.reference like 'task:%'`.execute(db)
  await sql`
    update users u set refunded = p.amount from (select user_id, sum(amount) as amount from past group by user_id) p where u.id = p.user_id
    `.execute(db)
  await sql`
    update tokens t set used_quota = t.used_quota - p.amount
    from (select token_id, sum(amount) as amount from past group by token_id) p where t.id = p.token_id`.execute(db)
  await sql`
    insert into channel_usage as c (channel_id, shard, used_quota, requests)
    select channel_id, 0, -sum(amount), 0 from past where channel_id > 0 group by channel_id
    on conflict (channel_id, shard) do update set used_quota = c.used_quota + excluded.used_quota`.execute(db)
  await sql`
    insert into usage_hours as h (hour, user_id, token_id, channel_id, model_name, "group", token_name, type, quota)
    select hour, user_id, token_id, channel_id, left(model, 255), left("group", 64), left(token_name, 255), 2, -sum(amount)
    from past group by 1, 2, 3, 4, 5, 6, 7
    on conflict (hour, user_id, token_id, channel_id, model_name, "group", token_name, type)
    do update set quota = h.quota + excluded.quota`.execute(db)
  await sql`
    update usage_rollup_periods p set state = 'open'
    where exists (
      select from past where p.start = past.hour - past.hour % case p.unit when 'hour' then 3600 when 'day' then 86400 else 604800 end)
    `.execute(db)
}
