import { AppError } from '@tollgate/contracts/app-error'
import type { Tx } from '@tollgate/db/connect'
import { setLockWait } from '@tollgate/db/lock-timeout'
import { lockOrganisation, type OrganisationRow } from '@tollgate/db/queries/users/organisations'
import { isLockTimeout } from '@tollgate/db/refused-lock'
import type { Refusal } from '@tollgate/shares/budget'
import type { Deps } from '../../deps.ts'

/** How long a change waits for one of another process. */
const LOCK_WAIT_MS = 4000

type Turn = {
  readonly organisation_id: number
  /** Ends the wait of a call that its client has given up. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Changes an organisation in one transaction, under the lock of its row. Changes of one organisation wait for each other without a
 * connection to Postgres, so that they keep none from other calls.
 */
export async function changeInTurn<T>(
  { db, budgets }: Pick<Deps, 'db' | 'budgets'>,
  { organisation_id, signal }: Turn,
  work: (tx: Tx, organisation: OrganisationRow | undefined) => Promise<T>,
): Promise<T> {
  const turn = await budgets.organisationChanges.take({ user: organisation_id }, signal === undefined ? {} : { signal })
  if (typeof turn === 'string') throw new AppError(REFUSALS[turn])
  try {
    return await db.transaction().execute(async (tx) => {
      await setLockWait(tx, LOCK_WAIT_MS)
      return await work(tx, await lockOrganisation(tx, organisation_id))
    })
  } catch (error) {
    throw isLockTimeout(error) ? new AppError('organisations.busy', {}, { cause: error }) : error
  } finally {
    turn.release()
  }
}

const REFUSALS = {
  full: 'organisations.changes',
  share: 'organisations.changes',
  late: 'organisations.busy',
  aborted: 'organisations.busy',
} as const satisfies Record<Refusal, string>
