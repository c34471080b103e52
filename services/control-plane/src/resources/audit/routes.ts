import { Role } from '@tollgate/contracts/enums'
import { audit, type AuditEntry, type AuditFilter } from '@tollgate/contracts/resources/audit'
import type { Tx } from '@tollgate/db/connect'
import { listAuditEntries, type AuditRow, type AuditScope } from '@tollgate/db/queries/installation/audit'
import { listChannelNames } from '@tollgate/db/queries/usage/usage-series'
import { listUsernames } from '@tollgate/db/queries/users/usernames'
import type { Actor } from '@tollgate/http/actor'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { pagingOf } from '../../paging.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'

export const auditRoutes = (deps: Deps): Binding[] => [
  handle(audit.list, ({ actor, query }) => listPage(deps, { page: query, filter: query, scope: scopeOf(actor) })),
  handle(audit.listOwn, ({ actor, query }) => listPage(deps, { page: query, filter: UNFILTERED, scope: ownScope(actor) })),
]

const UNFILTERED: AuditFilter = { resource: '', resource_id: '', action: '', actor_id: 0, start_timestamp: 0, end_timestamp: 0 }

/** For an organisation, the entries of all of its members. */
const ownScope = ({ id, member }: Actor): AuditScope => (member === undefined ? { actor_id: id } : { organisation_id: id })

/** Options and accounts above an administrator are root's matter. */
function scopeOf(actor: Actor): AuditScope | undefined {
  return actor.role >= Role.root ? undefined : { actor_id: actor.id, resources: ['channel', 'redemption'] }
}

type Asked = {
  readonly page: { readonly p: number; readonly page_size: number }
  readonly filter: AuditFilter
  readonly scope: AuditScope | undefined
}
type Page = { items: AuditEntry[]; total: number; page: number; page_size: number }

async function listPage(deps: Deps, { page: asked, filter, scope }: Asked): Promise<Page> {
  const { page, page_size, limit, offset } = pagingOf(asked)
  return await withReadSnapshot(deps, async (tx) => {
    const { items, total } = await listAuditEntries(tx, { filter, scope, limit, offset })
    return { items: await named(tx, items), total, page, page_size }
  })
}

async function named(tx: Tx, rows: readonly AuditRow[]): Promise<AuditEntry[]> {
  const idsOf = (resource: AuditRow['resource']): number[] =>
    rows.flatMap((row) => (row.resource === resource && /^\d{1,15}$/.test(row.resource_id) ? [Number(row.resource_id)] : []))
  const names = { channel: await listChannelNames(tx, idsOf('channel')), user: await listUsernames(tx, idsOf('user')) }
  return rows.map((row) => {
    const known = row.resource === 'channel' || row.resource === 'user' ? names[row.resource] : undefined
    return { ...row, resource_name: known?.get(Number(row.resource_id)) ?? '' }
  })
}
