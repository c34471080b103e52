import { webhookEndpoints } from '@tollgate/contracts/resources/webhook-endpoints'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import {
  createEndpoint,
  listDeliveries,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
  sendAgain,
  sendTest,
  updateEndpoint,
} from './service.ts'

export const webhookEndpointRoutes = (deps: Deps): Binding[] => [
  handle(webhookEndpoints.list, () => listEndpoints(deps)),
  handle(webhookEndpoints.create, ({ actor, ip, body }) => createEndpoint(deps, { actor, ip }, body)),
  handle(webhookEndpoints.update, async ({ actor, ip, params, body }) => {
    await updateEndpoint(deps, { actor, ip }, { id: params.id, form: body })
    return undefined
  }),
  handle(webhookEndpoints.remove, async ({ actor, ip, params }) => {
    await removeEndpoint(deps, { actor, ip }, params.id)
    return undefined
  }),
  handle(webhookEndpoints.rotate, ({ actor, ip, params }) => rotateSecret(deps, { actor, ip }, params.id)),
  handle(webhookEndpoints.test, async ({ params }) => {
    await sendTest(deps, params.id)
    return undefined
  }),
  handle(webhookEndpoints.deliveries, ({ params }) => listDeliveries(deps, params.id)),
  handle(webhookEndpoints.sendAgain, async ({ actor, ip, params }) => {
    await sendAgain(deps, { actor, ip }, params.id)
    return undefined
  }),
]
