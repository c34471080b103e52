import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HttpBindings } from '@hono/node-server'
import { bindHealth, type HealthState } from '@tollgate/http/health'
import { Hono } from 'hono'
import type { RelayDeps } from './deps.ts'
import { passThrough } from './pass-through.ts'
import { bindAnthropic } from './surfaces/anthropic/routes.ts'
import { bindGemini } from './surfaces/gemini/routes.ts'
import { bindOpenAi, bindUnknown } from './surfaces/openai/routes.ts'

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
  bindAnthropic(app, deps)
  bindGemini(app, deps)
  bindOpenAi(app, deps)
  bindUnknown(app, deps, ['/v1', '/v1/*', ...(deps.env.CONSOLE_ORIGIN === '' ? ['*'] : [])])
  app.all('*', (c) => {
    passThrough(c.env.incoming, c.env.outgoing, deps)
    return RESPONSE_ALREADY_SENT
  })
  return { app, health }
}
