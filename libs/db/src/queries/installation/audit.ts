import type { ExpressionBuilder } from 'kysely'
import type { AuditChange, AuditEntry, AuditFilter, AuditResource } from '@tollgate/contracts/resources/audit'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'
import type { Database } from '../../schema.ts'

export type NewAuditEntry = {
  readonly actor_id: number
  readonly actor_name: string
  readonly actor_role: number
  /** The organisation for which a member acts. */
  readonly organisation_id?: number | null
  readonly ip: string
  /** A verb: create, update, delete. */
  readonly action: string
  readonly resource: AuditResource
  readonly resource_id: string
  /** The changed fields, without secrets. */
  readonly changes: readonly AuditChange[]
  readonly now: UnixSeconds
}

/** Rows per statement, far below Postgres' 65 535 parameters. */
const CHUNK = 1000

/** Records actions in the transaction that performs them. */
export async function createAuditEntries(tx: Tx, entries: readonly NewAuditEntry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += CHUNK) {
    const rows = entries
      .slice(start, start + CHUNK)
      .map(({ now, changes, ...rest }) => ({ ...rest, changes: toJsonb(changes), created_at: now }))
    await tx.insertInto('audit_entries').values(rows).execute()
  }
}

/** An entry without the name that its resource has now. */
export type AuditRow = Omit<AuditEntry, 'resource_name'>

type Page = { readonly limit: number; readonly offset: number }
/** Entries of this actor, or, for an administrator, of these resources too; or what members did for an organisation. */
export type AuditScope = { readonly actor_id: number; readonly resources?: readonly AuditResource[] } | { readonly organisation_id: number }
type Selection = { readonly filter: AuditFilter; readonly scope: AuditScope | undefined }

/** Counting stops here, so that a page costs the same however long the log is. */
const MAX_COUNTED = 10_000

/** One page of entries, newest first, and their number (at most 10 000). */
export async function listAuditEntries(db: Db | Tx, selection: Selection & Page): Promise<{ items: AuditRow[]; total: number }> {
  const items = await select(db, selection)
    .select(['id', 'created_at', 'actor_id', 'actor_name', 'actor_role', 'ip', 'action', 'resource', 'resource_id', 'changes'])
    .$narrowType<{ resource: AuditResource }>()
    .orderBy('id', 'desc')
    .limit(selection.limit)
    .offset(selection.offset)
    .execute()
  const counted = select(db, selection).select('id').limit(MAX_COUNTED).as('counted')
  const { total } = await db
    .selectFrom(counted)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { items, total }
}

type Position = { readonly before: number | undefined; readonly limit: number }

/** The next entries of a file that is read page by page, newest first. */
export function listAuditPage(db: Db | Tx, { before, limit, ...selection }: Selection & Position): Promise<AuditRow[]> {
  return select(db, selection)
    .select(['id', 'created_at', 'actor_id', 'actor_name', 'actor_role', 'ip', 'action', 'resource', 'resource_id', 'changes'])
    .$narrowType<{ resource: AuditResource }>()
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

function select(db: Db | Tx, { filter, scope }: Selection) {
  const { resource, resource_id, action, actor_id, start_timestamp, end_timestamp } = filter
  return db
    .selectFrom('audit_entries')
    .$if(scope !== undefined, (query) => query.where((eb) => inScope(eb, scope)))
    .$if(resource !== '', (query) => query.where('resource', '=', resource))
    .$if(resource_id !== '', (query) => query.where('resource_id', '=', resource_id))
    .$if(action !== '', (query) => query.where('action', '=', action))
    .$if(actor_id !== 0, (query) => query.where('actor_id', '=', actor_id))
    .$if(start_timestamp > 0, (query) => query.where('created_at', '>=', start_timestamp))
    .$if(end_timestamp > 0, (query) => query.where('created_at', '<=', end_timestamp))
}

function inScope(eb: ExpressionBuilder<Database, 'audit_entries'>, scope: AuditScope | undefined) {
  if (scope === undefined) return eb.val(true)
  if ('organisation_id' in scope) return eb('organisation_id', '=', scope.organisation_id)
  return eb.or([eb('actor_id', '=', scope.actor_id), ...(scope.resources === undefined ? [] : [eb('resource', 'in', scope.resources)])])
}
