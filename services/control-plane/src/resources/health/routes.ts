import { health } from '@tollgate/contracts/resources/health'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { getSystemHealth, listFailedJobs, removeJob, retryJob } from './service.ts'

export const healthRoutes = (deps: Deps): Binding[] => [
  handle(health.get, () => getSystemHealth(deps)),
  handle(health.failedJobs, ({ query }) => listFailedJobs(deps, query.queue)),
  handle(health.retryJob, ({ actor, body, ip }) => retryJob(deps, { actor, ip }, body)),
  handle(health.removeJob, ({ actor, body, ip }) => removeJob(deps, { actor, ip }, body)),
]
