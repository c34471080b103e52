import { messages } from '@tollgate/contracts/texts/success-messages'
import { setup } from '@tollgate/contracts/resources/setup'
import { withMessage } from '@tollgate/http/envelope'
import { handle, type Binding } from '@tollgate/http/handle'
import { readClient } from '../../client.ts'
import type { Deps } from '../../deps.ts'
import { getFirstRun } from './first-run.ts'
import { createSystem, getSetupStatus } from './service.ts'

export const setupRoutes = (deps: Deps): Binding[] => [
  handle(setup.get, ({ c }) => getSetupStatus(deps, readClient(deps, c))),
  handle(setup.create, async ({ body, c, language }) => {
    const page = { referer: c.req.header('referer'), origin: c.req.header('origin') }
    await createSystem(deps, body, { client: readClient(deps, c), page, language })
    return withMessage(messages['setup.created'][language])
  }),
  handle(setup.firstRun, ({ actor }) => getFirstRun(deps, actor.id)),
]
