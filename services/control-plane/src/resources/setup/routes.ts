import { messages } from '@tollgate/contracts/success-messages'
import { setup } from '@tollgate/contracts/resources/setup'
import { said } from '@tollgate/http/envelope'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { getFirstRun } from './first-run.ts'
import { createSystem, getSetupStatus } from './service.ts'

export const setupRoutes = (deps: Deps): Binding[] => [
  handle(setup.get, ({ ip }) => getSetupStatus(deps, ip)),
  handle(setup.create, async ({ body, ip, language }) => {
    await createSystem(deps, body, ip)
    return said(messages['setup.created'][language])
  }),
  handle(setup.firstRun, ({ actor }) => getFirstRun(deps, actor.id)),
]
