import type { Tx } from '@tollgate/db/connect'
import { enqueueMail } from '@tollgate/db/queries/deliveries/mails'
import { findLanguage, findUser } from '@tollgate/db/queries/users/users'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import { ScimError } from '@tollgate/domain/scim/scim-error'
import { MAX_OPEN_INVITATIONS } from '@tollgate/contracts/resources/organisations'
import type { MemberRole } from '@tollgate/contracts/rights'
import { keys } from '@tollgate/redis/keys'
import { takeFromWindow } from '@tollgate/redis/stores/window'
import { recordAudit, type Audited, type By } from '../../audit.ts'
import { endAllSessions } from '../../authentication/cookie-sessions.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { syncChanged, type Changed } from '../../internal/ledger-sync.ts'
import { changeInTurn } from '../organisations/in-turn.ts'

/** A change of an organisation's people, and what follows when it is committed. */
export type Change = {
  readonly tx: Tx
  readonly by: By
  readonly organisation_id: number
  readonly organisation: string
  /** The member in whose name people are invited. */
  readonly made_by: number
  readonly audited: Audited[]
  readonly synced: Changed[]
  /** Accounts whose sessions end. */
  readonly ended: number[]
  readonly mails: { readonly to: string; readonly role: MemberRole }[]
}

export type Changing = {
  readonly by: By
  readonly organisation_id: number
  readonly made_by: number
  /** Ends the wait of a call that its client has given up. */
  readonly signal?: AbortSignal | undefined
}

const ATTEMPTS = 3

/** Changes an organisation's people in one transaction, one change after another. */
export async function changePeople<T>(deps: Deps, changing: Changing, work: (change: Change) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await changeOnce(deps, changing, work)
    } catch (error) {
      // Another account took the name or address meanwhile.
      const isTaken = ['users_email', 'users_username_key', 'users_username_folded'].some((index) => isUniqueViolation(error, index))
      if (!isTaken || attempt === ATTEMPTS) throw error
    }
  }
}

async function changeOnce<T>(deps: Deps, changing: Changing, work: (change: Change) => Promise<T>): Promise<T> {
  const { by, organisation_id, made_by } = changing
  const done = await changeInTurn(deps, changing, async (tx, row) => {
    if (row === undefined) throw new ScimError(404, 'There is no such organisation')
    const change: Change = {
      tx,
      by,
      organisation_id,
      organisation: row.name,
      made_by,
      audited: [],
      synced: [],
      ended: [],
      mails: [],
    }
    const result = await work(change)
    await recordAudit(deps, tx, by, change.audited)
    return { change, result }
  })
  const { synced, ended } = done.change
  for (const id of ended) await endAllSessions(deps, id)
  await syncChanged(deps, synced)
  await sendMails(deps, done.change)
  return done.result
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** One mail a day to an address, and as many an hour as people may be invited. Without a mail the console offers the invitation all the same. */
async function sendMails(deps: Deps, { organisation_id, organisation, made_by, mails }: Change): Promise<void> {
  for (const { to, role } of mails) {
    const own = await takeFromWindow(deps.redis, keys.consoleWindow('scim-mail', `${organisation_id}:${to}`), 1, DAY_MS)
    const all = keys.consoleWindow('invitations', String(organisation_id))
    if (!own.isTaken || !(await takeFromWindow(deps.redis, all, MAX_OPEN_INVITATIONS, HOUR_MS)).isTaken) continue
    await deps.db.transaction().execute(async (tx) => {
      const inviter = (await findUser(tx, made_by))?.username ?? organisation
      const language = await findLanguage(tx, made_by)
      await enqueueMail(tx, { to, template: 'invitation', language, values: { organisation, inviter, role }, now: nowSeconds(deps) })
    })
  }
}
