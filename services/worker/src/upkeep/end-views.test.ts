import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createView } from '@tollgate/db/queries/users/account-views'
import { createSession, endSession } from '@tollgate/redis/stores/session-store'
import { createTestbed, type Testbed } from '../../test/test-worker.ts'
import { endViews } from './end-views.ts'

const START = 1_800_000_000
const VIEWER = 7

describe('views of the console as a user', () => {
  let testbed: Testbed
  let clock = START
  let count = 0
  beforeAll(async () => {
    testbed = await createTestbed()
  })
  afterAll(() => testbed.close())
  beforeEach(async () => {
    clock = START
    await testbed.db.deleteFrom('account_views').execute()
    await testbed.db.deleteFrom('audit_entries').execute()
  })

  const session = async (id_hash: string, user_id: number) => {
    await createSession(testbed.redis, { id_hash, user_id, stamp: '', ip: '', user_agent: '', now: clock, proved_at: 0 })
    return { id_hash, user_id }
  }
  const view = async () => {
    const at = (count += 1)
    const [own, seen] = [await session(`own${at}`, VIEWER), await session(`view${at}`, 100 + at)]
    const viewer = { viewer_id: VIEWER, viewer_name: 'admin', viewer_role: 10, viewer_session: own.id_hash, ip: '192.0.2.1' }
    const row = { ...viewer, id_hash: seen.id_hash, user_id: seen.user_id, started_at: clock, ends_at: clock + 1800 }
    await testbed.db.transaction().execute((tx) => createView(tx, row))
    return { own, seen }
  }
  const end = () => endViews({ db: testbed.db, redis: testbed.redis, now: () => clock * 1000 })
  const entries = () =>
    testbed.db
      .selectFrom('audit_entries')
      .select(['action', 'actor_id', 'actor_name', 'actor_role', 'ip', 'resource', 'resource_id', 'changes', 'created_at'])
      .orderBy('id')
      .execute()
  const entryOf = ({ user_id }: { user_id: number }, by: string) => ({
    action: 'view-end',
    actor_id: VIEWER,
    actor_name: 'admin',
    actor_role: 10,
    ip: '192.0.2.1',
    resource: 'user',
    resource_id: String(user_id),
    changes: [{ field: 'ended_by', after: by }],
    created_at: clock,
  })

  it('are entered in the audit log when their half hour is over, once for all workers', async () => {
    const { seen } = await view()
    clock += 1799
    await end()
    expect(await entries()).toEqual([])

    clock += 1
    await Promise.all([end(), end(), end()])
    expect(await entries()).toEqual([entryOf(seen, 'time')])
  })

  it('end in the audit log when the administrator is signed out, and when the view itself is', async () => {
    const first = await view()
    const second = await view()
    await view()
    clock += 60
    await endSession(testbed.redis, first.own)
    await endSession(testbed.redis, second.seen)
    await end()

    expect(await entries()).toEqual([entryOf(first.seen, 'sign-out'), entryOf(second.seen, 'sign-out')])
  })

  it('do not end before their session is stored', async () => {
    const { seen } = await view()
    await endSession(testbed.redis, seen)
    clock += 2
    await end()
    expect(await entries()).toEqual([])
  })
})
