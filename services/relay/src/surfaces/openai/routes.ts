import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { AppError } from '@tollgate/contracts/app-error'
import { clientIp } from '@tollgate/http/client-ip'
import { createRequestId, REQUEST_ID_HEADER } from '@tollgate/http/request-id'
import { Hono } from 'hono'
import type { RelayDeps } from '../../deps.ts'
import { run } from '../../pipeline/run.ts'
import { refuse } from '../../refuse.ts'
import { createReply } from '../../reply.ts'
import { StepClock } from '../../step-clock.ts'
import type { Visit } from '../../visit.ts'
import { answerModel, answerModels } from './models.ts'
import { openAiSurface } from './surface.ts'

type Answer = (visit: Visit, deps: RelayDeps) => Promise<void> | void

/** Calls of the API that exist and that we do not serve. */
const UNSERVED = [
  ['POST', '/v1/images/variations'],
  ['ALL', '/v1/files'],
  ['ALL', '/v1/files/*'],
  ['ALL', '/v1/fine-tunes'],
  ['ALL', '/v1/fine-tunes/*'],
  ['DELETE', '/v1/models/*'],
] as const

/** The OpenAI routes. Handlers work on Node's own request and response; no Web object is touched. */
export function openAiRoutes(deps: RelayDeps): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const on = (method: string, path: string, answer: Answer) => {
    app.on(method, path, (c) => {
      void visitWith(c.env.incoming, c.env.outgoing, deps, answer)
      return RESPONSE_ALREADY_SENT
    })
  }
  on('POST', '/v1/chat/completions', run)
  on('GET', '/v1/models', answerModels)
  on('GET', '/v1/models/*', (visit) => answerModel(visit, decodePath(visit.path.slice('/v1/models/'.length)), deps))
  on('OPTIONS', '/v1/*', answerPreflight)
  for (const [method, path] of UNSERVED) {
    if (method !== 'ALL') on(method, path, refuseUnserved)
    else for (const one of ['GET', 'POST', 'DELETE', 'PUT']) on(one, path, refuseUnserved)
  }
  app.all('/v1', (c) => refuseUnknown(c.env, deps))
  app.all('/v1/*', (c) => refuseUnknown(c.env, deps))
  return app
}

/** Any path that nobody serves. */
export function refuseUnknown({ incoming, outgoing }: HttpBindings, deps: RelayDeps): Response {
  void visitWith(incoming as IncomingMessage, outgoing as ServerResponse, deps, () => {
    // HTTP/1.1 server only
    throw new AppError('route.unknown', { method: incoming.method ?? '', path: pathOf(incoming.url ?? '') })
  })
  return RESPONSE_ALREADY_SENT
}

async function visitWith(incoming: IncomingMessage, outgoing: ServerResponse, deps: RelayDeps, answer: Answer): Promise<void> {
  const nowMs = deps.now()
  const id = createRequestId(nowMs)
  outgoing.setHeader(REQUEST_ID_HEADER, id)
  outgoing.setHeader('Access-Control-Allow-Origin', '*')
  outgoing.setHeader('Access-Control-Expose-Headers', REQUEST_ID_HEADER)
  const visit: Visit = {
    id,
    incoming,
    reply: createReply(outgoing),
    ip: clientIp(incoming, deps.env.TRUSTED_PROXIES),
    path: pathOf(incoming.url ?? ''),
    surface: openAiSurface,
    clock: new StepClock(nowMs),
  }
  try {
    await answer(visit, deps)
  } catch (error) {
    refuse(visit, error, deps.log)
  }
}

function answerPreflight({ reply, incoming }: Visit): void {
  const asked = incoming.headers['access-control-request-headers']
  reply.head(204, {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': Array.isArray(asked) ? asked.join(', ') : (asked ?? '*'),
    'Access-Control-Max-Age': '86400',
  })
  reply.end()
}

function refuseUnserved(): never {
  throw new AppError('route.unimplemented')
}

function pathOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? url : url.slice(0, at)
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A broken escape names no model: it is looked up as it is and not found.
    return text
  }
}
