import { config } from '@tollgate/contracts/resources/config'
import { messages } from '@tollgate/contracts/texts/success-messages'
import { listManagedNames } from '@tollgate/db/queries/installation/managed-records'
import { withMessage } from '@tollgate/http/envelope'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { exportConfig } from './export.ts'
import { applyConfig, planConfig } from './service.ts'

export const configRoutes = (deps: Deps): Binding[] => [
  handle(config.plan, ({ actor, ip, language, body }) => planConfig(deps, { by: { actor, ip }, language }, body)),
  handle(config.apply, async ({ actor, ip, language, body }) => {
    const { plan, publication } = await applyConfig(deps, { by: { actor, ip }, language }, body)
    return withMessage(publication === 'published' ? '' : messages['channels.unpublished'][language], plan)
  }),
  handle(config.export, ({ query }) => exportConfig(deps, { hasUserTokens: query.user_tokens })),
  handle(config.managed, () => listManagedNames(deps.db)),
]
