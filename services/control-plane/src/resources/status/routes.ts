import { status } from '@tollgate/contracts/resources/status'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { readRelease } from './release.ts'
import { createStoreProbe } from './stores.ts'
import { getSiteStatus, testDatabase } from './service.ts'

export const statusRoutes = (deps: Deps): Binding[] => [
  handle(status.get, () => getSiteStatus(deps)),
  handle(status.stores, createStoreProbe(deps)),
  handle(status.test, () => testDatabase(deps)),
  handle(status.release, () => readRelease(deps)),
  handle(status.notice, () => deps.options.get('Notice')),
  handle(status.about, () => deps.options.get('About')),
  handle(status.homePage, () => deps.options.get('HomePageContent')),
]
