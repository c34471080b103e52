import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HttpBindings } from '@hono/node-server'
import { bindHealth, type HealthState } from '@tollgate/http/health'
import { Hono } from 'hono'
import type { RelayDeps } from './deps.ts'
import { passThrough } from './client-apis/console/pass-through.ts'
import { createStatusAnswers } from './client-apis/console/status-answers.ts'
import { bindAnthropic } from './client-apis/anthropic/routes.ts'
import { bindBatches } from './client-apis/batches/routes.ts'
import { bindGemini } from './client-apis/gemini/routes.ts'
import { bindMidjourney, withoutMode } from './client-apis/midjourney/routes.ts'
import { bindConversations } from './client-apis/openai/conversations.ts'
import { bindOpenAi } from './client-apis/openai/routes.ts'
import { bindRanking } from './client-apis/ranking/routes.ts'
import { bindSuno } from './client-apis/suno/routes.ts'
import { bindNativeVideos } from './client-apis/videos/native-routes.ts'
import { bindVideos } from './client-apis/videos/routes.ts'
import { canonicalUrl } from './client-apis/canonical-path.ts'
import { chooseClientApi } from './client-apis/choose-client-api.ts'
import { SECURITY_HEADERS } from './transport/reply.ts'
import { receive, refuseUnknown } from './client-apis/bind-routes.ts'

export type RelayApp = {
  readonly listener: (incoming: IncomingMessage, outgoing: ServerResponse) => void
  readonly health: HealthState
}

/** All routes of the relay: health and model routes; with CONSOLE_ORIGIN, other paths go to the control plane. */
export function createApp(deps: RelayDeps): RelayApp {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const health: HealthState = {
    isDraining: false,
    findObstacle: async () => {
      if (!deps.heartbeat.hasAnswered()) return 'the ledger has not answered since this process started'
      return deps.snapshots.isReady() ? undefined : 'no configuration snapshot was read from Redis yet'
    },
  }
  const healthApp = new Hono()
  // On these paths only: on all of them it would run before every model route, and create a Response for each request.
  healthApp.on('GET', ['/healthz', '/readyz'], async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.header(name, value)
  })
  bindHealth(healthApp, health)
  app.route('/', healthApp)
  bindAnthropic(app, deps)
  bindGemini(app, deps)
  bindOpenAi(app, deps)
  bindConversations(app, deps)
  bindRanking(app, deps)
  bindBatches(app, deps)
  bindMidjourney(app, deps)
  bindSuno(app, deps)
  bindVideos(app, deps)
  bindNativeVideos(app, deps)
  // Not a route: it would match every other route too, and Hono builds a chain of handlers where two routes match.
  app.notFound((c) => {
    const { incoming, outgoing } = c.env
    const url = canonicalUrl(incoming) ?? withoutMode(incoming.url ?? '')
    if (url !== undefined) {
      incoming.url = url
      listener(incoming, outgoing)
      return RESPONSE_ALREADY_SENT
    }
    const clientApi = chooseClientApi(incoming, deps.env)
    if (clientApi === undefined) void passThrough(incoming, outgoing, deps)
    else receive(incoming, outgoing, { deps, clientApi, answer: refuseUnknown })
    return RESPONSE_ALREADY_SENT
  })
  const handle = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
  })
  const answersStatus = createStatusAnswers(deps)
  const listener: RelayApp['listener'] = (incoming, outgoing) => {
    if (!answersStatus(incoming, outgoing)) void handle(incoming, outgoing)
  }
  return { listener, health }
}
