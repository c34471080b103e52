import { Role } from '@tollgate/contracts/enums'
import { audit, type AuditEntry, type AuditFilter } from '@tollgate/contracts/resources/audit'
import { listAuditEntries, type AuditScope } from '@tollgate/db/queries/audit'
import type { Actor } from '@tollgate/http/actor'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { pagingOf } from '../../paging.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'

export const auditRoutes = (deps: Deps): Binding[] => [
  handle(audit.list, ({ actor, query }) => listPage(deps, { page: query, filter: query, scope: scopeOf(actor) })),
  handle(audit.listOwn, ({ actor, query }) => listPage(deps, { page: query, filter: UNFILTERED, scope: { actor_id: actor.id } })),
]

const UNFILTERED: AuditFilter = { resource: '', resource_id: '', action: '', actor_id: 0, start_timestamp: 0, end_timestamp: 0 }

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
  const { items, total } = await withReadSnapshot(deps, (tx) => listAuditEntries(tx, { filter, scope, limit, offset }))
  return { items, total, page, page_size }
}
