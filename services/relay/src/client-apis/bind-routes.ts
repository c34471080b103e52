import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { AppError } from '@tollgate/contracts/app-error'
import type { Context, Hono } from 'hono'
import type { RelayDeps } from '../deps.ts'
import { refuse } from '../response/refuse.ts'
import { createRequestContext, type RequestContext } from '../request/context.ts'
import type { ClientApi } from '../request/client-api.ts'

export type RelayHono = Hono<{ Bindings: HttpBindings }>
type RelayContext = Context<{ Bindings: HttpBindings }>

export type Answer = (context: RequestContext, deps: RelayDeps) => Promise<void> | void

/** `calls`: programs only. `pages`: a browser may also embed or open it, because it answers with media or JSON only. */
type Opens = 'calls' | 'pages'

/** Binds routes of one client API, by method or for 'ALL'. Handlers use Node's request and response; no Web object is created. */
export function binder(app: RelayHono, deps: RelayDeps, clientApiOf: (incoming: IncomingMessage) => ClientApi) {
  return (method: string, path: string, answer: Answer, opens: Opens = 'calls'): void => {
    const listener = (c: RelayContext) => {
      const { incoming, outgoing } = c.env
      receive(incoming, outgoing, { deps, clientApi: clientApiOf(incoming), answer, opens })
      return RESPONSE_ALREADY_SENT
    }
    if (method === 'ALL') app.all(path, listener)
    else app.on(method, path, listener)
  }
}

type Reception = { readonly deps: RelayDeps; readonly clientApi: ClientApi; readonly answer: Answer; readonly opens?: Opens }

/** Runs a handler on Node's own objects and answers its errors in the client's format. */
export function receive(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { deps, clientApi, answer, opens = 'calls' }: Reception,
): void {
  const context = createRequestContext(incoming, outgoing, { deps, clientApi })
  try {
    if (opens === 'calls' && isPageLoad(incoming)) throw new AppError('request.page')
    const answering = answer(context, deps)
    if (answering instanceof Promise) answering.catch((error: unknown) => refuse(context, error, deps))
  } catch (error) {
    refuse(context, error, deps)
  }
}

/** Destinations of scripted calls; all others load a page, a frame or a part of one: https://www.w3.org/TR/fetch-metadata/ */
const CALLS = new Set<unknown>([undefined, '', 'empty', 'websocket'])

/** A model route is called by scripts and programs. An answer that a browser opened as a page would run on this origin. */
function isPageLoad({ headers }: IncomingMessage): boolean {
  const mode = headers['sec-fetch-mode']
  return !CALLS.has(headers['sec-fetch-dest']) || mode === 'navigate' || mode === 'nested-navigate'
}

/** Refuses an unknown path in the client's format. */
export function refuseUnknown({ incoming, path }: RequestContext): never {
  throw new AppError('route.unknown', { method: incoming.method ?? '', path })
}

/** Refuses a route of the client's API that the relay does not have. */
export function refuseUnserved({ incoming, path }: RequestContext): never {
  throw new AppError('route.unimplemented', { method: incoming.method ?? '', path })
}

export function answerPreflight({ reply, incoming }: RequestContext): void {
  const requested = incoming.headers['access-control-request-headers']
  reply.head(204, {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': Array.isArray(requested) ? requested.join(', ') : (requested ?? '*'),
    'Access-Control-Max-Age': '86400',
  })
  reply.end()
}

/** Decodes a part of a path; one with a broken escape is returned unchanged and matches nothing. */
export function decodePath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // The text is looked up as it is and not found.
    return text
  }
}
