import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HttpBindings } from '@hono/node-server'
import { bindHealth, type HealthState } from '@tollgate/http/health'
import { Hono } from 'hono'
import type { RelayDeps } from './deps.ts'
import { passThrough } from './pass-through.ts'
import { openAiRoutes, refuseUnknown } from './surfaces/openai/routes.ts'

export type RelayApp = { readonly app: Hono<{ Bindings: HttpBindings }>; readonly health: HealthState }

/** All that the relay serves: health, model routes, and the rest for the control plane where the environment says so. */
export function createApp(deps: RelayDeps): RelayApp {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const health: HealthState = {
    isDraining: false,
    findObstacle: async () => (deps.snapshots.isReady() ? undefined : 'no configuration snapshot was read yet'),
  }
  const healthApp = new Hono()
  bindHealth(healthApp, health)
  app.route('/', healthApp)
  app.route('/', openAiRoutes(deps))
  app.all('*', (c) => {
    if (deps.env.CONSOLE_ORIGIN === '') return refuseUnknown(c.env, deps)
    passThrough(c.env.incoming, c.env.outgoing, deps)
    return RESPONSE_ALREADY_SENT
  })
  return { app, health }
}
