import { sql, type RawBuilder } from 'kysely'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { toArray } from '../../columns.ts'
import type { Tx } from '../../connect.ts'
import { logStoreOf, type LogCondition, type LogCursor, type StoredLog } from '../../log-store.ts'
import { withFactTexts, type FactTexts, type WithEvent } from '../../logged-event.ts'

const COLUMNS = ['created_at', 'id', 'channel_id', 'model_name', 'quota', 'type', 'state', 'usage', 'quote', 'explanation'] as const

type Recent = {
  readonly since: UnixSeconds
  /** Exclusive. */
  readonly until?: UnixSeconds
  readonly types?: readonly number[]
  readonly states?: readonly string[]
  readonly has: 'quote' | 'explanation'
}

/**
 * The newest rows, at most so many, as a table `logs` of a query: sums are those of Postgres, whether the rows come from there, packed or
 * not, or from a log store.
 */
export async function recentLogs(tx: Tx, wanted: Recent, most: number): Promise<RawBuilder<unknown>> {
  const store = logStoreOf(tx)
  const json = (text: string | null): string => text || 'null'
  const rows = store === undefined ? await readHere(tx, wanted, most) : await store.select(selectionOf(wanted, most))
  const records = rows.map(({ usage, quote, explanation, ...row }) => {
    const facts = `"usage":${json(usage)},"quote":${json(quote)},"explanation":${json(explanation)}`
    return `{${JSON.stringify(row).slice(1, -1)},${facts}}`
  })
  return sql`jsonb_to_recordset(${`[${records.join(',')}]`}::text::jsonb) as logs(
    created_at bigint, id bigint, channel_id bigint, model_name text, quota bigint, type int, state text,
    usage jsonb, quote jsonb, explanation jsonb)`
}

const selectionOf = ({ since, has, ...condition }: Recent, limit: number) =>
  ({ ...(condition satisfies LogCondition), filter: { from: since }, has: [has], columns: COLUMNS, order: 'newest', limit }) as const

type Texts = Pick<StoredLog, Exclude<(typeof COLUMNS)[number], keyof FactTexts>> & FactTexts

/** Rows that are read at once: what else the process does waits no longer than it takes to unpack them. */
const PAGE = 1000

async function readHere(tx: Tx, wanted: Recent, most: number): Promise<Texts[]> {
  const found: Texts[] = []
  let before: LogCursor = { created_at: wanted.until ?? Number.MAX_SAFE_INTEGER, id: 0 }
  for (;;) {
    const limit = Math.min(PAGE, most - found.length)
    const { rows } = await selectPage(wanted, before, limit).execute(tx)
    for (const row of rows) found.push(withFactTexts(row))
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit || found.length >= most) return found
    before = last
  }
}

function selectPage({ since, types, states, has }: Recent, before: LogCursor, limit: number) {
  return sql<WithEvent<Texts>>`
    select created_at, id, channel_id, model_name, quota, type, state,
      usage::text as usage, quote::text as quote, explanation::text as explanation, event
    from logs
    where created_at >= ${since} and created_at <= ${before.created_at} and (created_at, id) < (${before.created_at}::bigint, ${before.id}::bigint)
      and (event is not null or ${sql.ref(has)} is not null)
      ${types === undefined ? sql`` : sql`and type = any(${toArray(types, 'int')})`}
      ${states === undefined ? sql`` : sql`and state = any(${toArray(states, 'text')})`}
    order by created_at desc, id desc limit ${limit}`
}
