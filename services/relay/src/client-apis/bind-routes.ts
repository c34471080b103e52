import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { AppError } from '@tollgate/contracts/app-error'
import { clientIp } from '@tollgate/http/client-ip'
import { createRequestId, REQUEST_ID_HEADER } from '@tollgate/http/request-id'
import type { Context, Hono } from 'hono'
import type { RelayDeps } from '../deps.ts'
import { refuse } from '../errors/refuse.ts'
import { createReply } from '../transport/reply.ts'
import { StepClock } from '../request/step-clock.ts'
import type { RequestContext } from '../request/context.ts'
import type { ClientApi } from './client-api.ts'

export type RelayHono = Hono<{ Bindings: HttpBindings }>
type RelayContext = Context<{ Bindings: HttpBindings }>

export type Answer = (context: RequestContext, deps: RelayDeps) => Promise<void> | void

/** Binds routes of one surface, by method or for 'ALL'. Handlers work on Node's own request and response; no Web object is touched. */
export function binder(app: RelayHono, deps: RelayDeps, clientApiOf: (incoming: IncomingMessage) => ClientApi) {
  return (method: string, path: string, answer: Answer): void => {
    const listener = (c: RelayContext) => {
      const { incoming, outgoing } = c.env
      receive(incoming, outgoing, { deps, clientApi: clientApiOf(incoming), answer })
      return RESPONSE_ALREADY_SENT
    }
    if (method === 'ALL') app.all(path, listener)
    else app.on(method, path, listener)
  }
}

type Reception = Opening & { readonly answer: Answer }

/** Answers a request on Node's own objects; whatever goes wrong is told in the surface's format. */
export function receive(incoming: IncomingMessage, outgoing: ServerResponse, { answer, ...opening }: Reception): void {
  const context = createRequestContext(incoming, outgoing, opening)
  const { deps } = opening
  try {
    const answering = answer(context, deps)
    if (answering instanceof Promise) answering.catch((error: unknown) => refuse(context, error, deps.log))
  } catch (error) {
    refuse(context, error, deps.log)
  }
}

type Opening = { readonly deps: RelayDeps; readonly clientApi: ClientApi }

/** A request as the pipeline sees it; its answer carries the id. */
export function createRequestContext(incoming: IncomingMessage, outgoing: ServerResponse, { deps, clientApi }: Opening): RequestContext {
  const nowMs = deps.now()
  const id = createRequestId(nowMs)
  const reply = createReply(outgoing)
  reply.announce({ [REQUEST_ID_HEADER]: id, 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': REQUEST_ID_HEADER })
  return {
    id,
    incoming,
    reply,
    ip: clientIp(incoming, deps.env.TRUSTED_PROXIES),
    path: pathOf(incoming.url ?? ''),
    clientApi,
    clock: new StepClock(nowMs),
    permit: undefined,
  }
}

/** Any path that nobody serves, in the surface's own shape. */
export function refuseUnknown({ incoming, path }: RequestContext): never {
  throw new AppError('route.unknown', { method: incoming.method ?? '', path })
}

export function answerPreflight({ reply, incoming }: RequestContext): void {
  const asked = incoming.headers['access-control-request-headers']
  reply.head(204, {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': Array.isArray(asked) ? asked.join(', ') : (asked ?? '*'),
    'Access-Control-Max-Age': '86400',
  })
  reply.end()
}

function pathOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? url : url.slice(0, at)
}

/** A part of a path as text. */
export function decodePath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A broken escape names nothing: it is looked up as it is and not found.
    return text
  }
}
