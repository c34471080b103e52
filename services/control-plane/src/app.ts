import { endpoints } from '@tollgate/contracts/endpoints'
import { bindAll, type BindOptions } from '@tollgate/http/bind-all'
import { clientIp } from '@tollgate/http/client-ip'
import type { Binding } from '@tollgate/http/handle'
import { bindHealth, type HealthState } from '@tollgate/http/health'
import { readForwardedClient, FORWARDED_CLIENT_HEADER } from '@tollgate/http/internal-auth'
import { securityHeaders } from '@tollgate/http/security-headers'
import { renderUnknownPath } from '@tollgate/http/unknown-path'
import { Hono, type Context } from 'hono'
import { compress } from 'hono/compress'
import type { IncomingMessage } from 'node:http'
import { consoleFiles } from './console-files.ts'
import type { Deps } from './deps.ts'

type AppOptions = {
  readonly bindings: readonly Binding[]
  readonly health: HealthState
} & Pick<BindOptions, 'authenticate' | 'limit' | 'gate' | 'humanCheck'>

/** The public face: `/api`, health probes and the built console. */
export function createApp(deps: Deps, options: AppOptions): Hono {
  const app = new Hono()
  app.use(securityHeaders)
  app.use('/api/*', compress())
  bindHealth(app, options.health)
  bindAll(app, options.bindings, {
    ...options,
    endpoints,
    now: deps.now,
    clientIp: (c) => readClientIp(deps, c),
    onFinished: ({ endpoint, error, status, ...line }) => {
      const details = { method: endpoint.method, path: endpoint.path, status, ...line, actor: line.actor?.id ?? 0 }
      if (status >= 500 && status !== 501) deps.log.error({ ...details, err: error }, 'call failed')
      else deps.log.info(details, 'call')
    },
  })
  for (const path of ['/api', '/api/*', '/v1/*', '/pg/*', '/internal/*']) app.all(path, renderUnknownPath)
  app.all('*', consoleFiles(deps.env.CONSOLE_DIR))
  return app
}

/** The address a relay vouches for, else what the socket and trusted proxies say. */
function readClientIp(deps: Deps, c: Context): string {
  // Present whenever a real server serves the call; app.request in tests has none.
  const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming
  if (incoming === undefined) return '127.0.0.1'
  const call = { method: c.req.method, path: incoming.url ?? '', nowMs: deps.now() }
  const vouched = readForwardedClient(c.req.header(FORWARDED_CLIENT_HEADER), call, deps.env.INTERNAL_SECRETS)
  return vouched ?? clientIp(incoming, deps.env.TRUSTED_PROXIES)
}
