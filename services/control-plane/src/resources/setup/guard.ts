import { AppError } from '@tollgate/contracts/app-error'
import type { Endpoint } from '@tollgate/contracts/endpoint'
import { setup } from '@tollgate/contracts/resources/setup'
import { status } from '@tollgate/contracts/resources/status'
import { isSetUp } from '@tollgate/db/queries/setup'
import type { Deps } from '../../deps.ts'

const OPEN: ReadonlySet<Endpoint> = new Set<Endpoint>([setup.get, setup.create, status.get, status.notice])

/** Refuses every call except status, setup and notice until the system is set up. Setup cannot be undone, so a positive result is cached. */
export function createSetupGuard(deps: Pick<Deps, 'db'>): (endpoint: Endpoint) => Promise<void> {
  let isKnownDone = false
  return async (endpoint) => {
    if (isKnownDone || OPEN.has(endpoint)) return
    isKnownDone = await isSetUp(deps.db)
    if (!isKnownDone) throw new AppError('setup.required')
  }
}
