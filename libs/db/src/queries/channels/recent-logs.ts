import { sql, type RawBuilder } from 'kysely'
import type { LogCondition, LogStore } from '../../log-store.ts'

const COLUMNS = ['created_at', 'id', 'channel_id', 'model_name', 'quota', 'type', 'state', 'usage', 'quote', 'explanation'] as const

/** The newest rows of a log store as a table `logs` of a query in Postgres, whose sums then are the same as those of its own rows. */
export async function recentLogs(store: LogStore, condition: LogCondition, most: number): Promise<RawBuilder<unknown>> {
  const rows = await store.select({ ...condition, columns: COLUMNS, order: 'newest', limit: most })
  const json = (text: string): string => (text === '' ? 'null' : text)
  const records = rows.map(({ usage, quote, explanation, ...row }) => {
    const facts = `"usage":${json(usage)},"quote":${json(quote)},"explanation":${json(explanation)}`
    return `{${JSON.stringify(row).slice(1, -1)},${facts}}`
  })
  return sql`jsonb_to_recordset(${`[${records.join(',')}]`}::text::jsonb) as logs(
    created_at bigint, id bigint, channel_id bigint, model_name text, quota bigint, type int, state text,
    usage jsonb, quote jsonb, explanation jsonb)`
}
