import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db } from '@tollgate/db/connect'
import { deleteView, listViews, type AccountView } from '@tollgate/db/queries/users/account-views'
import { createAuditEntries } from '@tollgate/db/queries/installation/audit'
import type { Redis } from '@tollgate/redis/connect'
import { hasSession } from '@tollgate/redis/stores/session-store'

type Stores = { readonly db: Db; readonly redis: Redis; readonly now: () => number }

/** A view is entered in Postgres before its session is in Redis. */
const STORED_AFTER_S = 10

/** Enters the end of each view as a user that ended by time or with its session in the audit log. Safe to run beside another worker. */
export async function endViews({ db, redis, now }: Stores): Promise<void> {
  const at = Math.floor(now() / 1000)
  for (const view of await listViews(db)) {
    const by = await whatEnds(redis, view, at)
    if (by !== undefined) await endView(db, view, { by, at })
  }
}

type Ending = 'time' | 'sign-out'

async function whatEnds(redis: Redis, view: AccountView, at: UnixSeconds): Promise<Ending | undefined> {
  if (at >= view.ends_at) return 'time'
  if (!(await hasSession(redis, view.viewer_session))) return 'sign-out'
  return at - view.started_at > STORED_AFTER_S && !(await hasSession(redis, view.id_hash)) ? 'sign-out' : undefined
}

async function endView(db: Db, view: AccountView, { by, at }: { readonly by: Ending; readonly at: UnixSeconds }): Promise<void> {
  const { viewer_id: actor_id, viewer_name: actor_name, viewer_role: actor_role, ip, user_id } = view
  const changes = [{ field: 'ended_by', after: by }]
  const entry = { action: 'view-end', resource: 'user', resource_id: String(user_id), changes, now: at } as const
  await db.transaction().execute(async (tx) => {
    if (await deleteView(tx, view.id_hash)) await createAuditEntries(tx, [{ actor_id, actor_name, actor_role, ip, ...entry }])
  })
}
