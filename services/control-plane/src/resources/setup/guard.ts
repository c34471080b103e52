import { AppError } from '@tollgate/contracts/app-error'
import type { Endpoint } from '@tollgate/contracts/endpoint'
import { setup } from '@tollgate/contracts/resources/setup'
import { status } from '@tollgate/contracts/resources/status'
import { isSetUp } from '@tollgate/db/queries/installation/setup'
import type { Deps } from '../../deps.ts'

const OPEN: ReadonlySet<Endpoint> = new Set<Endpoint>([setup.get, setup.create, status.get, status.notice])

/** True if the system is set up. Setup cannot be undone, so a positive result is cached. */
export function createSetupState(deps: Pick<Deps, 'db'>): () => Promise<boolean> {
  let isKnownDone = false
  return async () => (isKnownDone ||= await isSetUp(deps.db))
}

/** Refuses every call except status, setup and notice until the system is set up. */
export function createSetupGuard(isDone: () => Promise<boolean>): (endpoint: Endpoint) => Promise<void> {
  return async (endpoint) => {
    if (!OPEN.has(endpoint) && !(await isDone())) throw new AppError('setup.required')
  }
}
