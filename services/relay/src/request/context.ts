import type { IncomingMessage, ServerResponse } from 'node:http'
import type { QuotaStatus } from '@tollgate/contracts/failures/client-refusals'
import type { RelayEnv } from '@tollgate/config/env'
import { clientIp } from '@tollgate/http/client-ip'
import { FORWARDED_CLIENT_HEADER, readForwardedClient } from '@tollgate/http/internal-auth'
import { languageOf, type Language } from '@tollgate/http/language'
import { createRequestId, REQUEST_ID_HEADER } from '@tollgate/http/request-id'
import type { LogFields } from '@tollgate/telemetry/fields'
import { traceFieldsOf } from '@tollgate/telemetry/spans'
import type { ClientApi } from './client-api.ts'
import type { Settings } from '../config/settings.ts'
import { createReply, type Reply } from '../transport/reply.ts'
import { BodyHashes } from './body-hashes.ts'
import { PermitSlot } from './permit.ts'
import { RefusalTrail } from './refusal-facts.ts'
import { StepClock } from './step-clock.ts'

/** The facts about a client request that hold from its first byte. */
export type RequestContext = {
  /** Generated here, never taken from a header; the response carries it. */
  readonly id: string
  readonly incoming: IncomingMessage
  readonly reply: Reply
  /** Empty when a trusted proxy forwarded an address that cannot be read. */
  readonly ip: string
  readonly path: string
  readonly clientApi: ClientApi
  readonly clock: StepClock
  /** Language of error texts. */
  readonly language: Language
  /** Status of a refusal because the client's own quota is used up. */
  readonly quotaStatus: QuotaStatus
  /** Where users pay; empty: nowhere. */
  readonly topUpLink: string
  readonly permit: PermitSlot
  readonly refusal: RefusalTrail
  readonly hashes: BodyHashes
  /** The worker sends it in place of the client, whose own request was answered before. */
  readonly isDeferred: boolean
}

type Deps = {
  readonly now: () => number
  readonly config: { readonly settings: Pick<Settings, 'error_language' | 'quota_error_status' | 'top_up_link'> }
  readonly env: Pick<RelayEnv, 'TRUSTED_PROXIES' | 'INTERNAL_SECRETS'>
}
type Options = { readonly deps: Deps; readonly clientApi: ClientApi }

/** Creates the context of a request and announces the response headers that every response carries. */
export function createRequestContext(incoming: IncomingMessage, outgoing: ServerResponse, { deps, clientApi }: Options): RequestContext {
  const nowMs = deps.now()
  const id = createRequestId(nowMs)
  const { error_language, quota_error_status, top_up_link } = deps.config.settings
  const reply = createReply(outgoing)
  const signed = signedClient(incoming, deps)
  const { idHeader, exposedHeaders } = clientApi
  reply.announce({
    [REQUEST_ID_HEADER]: id,
    [idHeader]: id,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': exposedHeaders,
  })
  return {
    id,
    incoming,
    reply,
    ip: signed ?? clientIp(incoming, deps.env.TRUSTED_PROXIES),
    path: pathOf(incoming.url ?? ''),
    clientApi,
    clock: new StepClock(nowMs),
    language: languageOf(incoming.headers['accept-language'], error_language),
    quotaStatus: quota_error_status,
    topUpLink: top_up_link,
    permit: new PermitSlot(),
    refusal: new RefusalTrail(),
    hashes: new BodyHashes(),
    isDeferred: signed !== undefined,
  }
}

/** The client for whom the worker sends a deferred request; undefined: the caller itself is the client. */
function signedClient({ headers, method = '', url = '' }: IncomingMessage, { env, now }: Deps): string | undefined {
  const header = headers[SIGNED_CLIENT]
  if (typeof header !== 'string') return undefined
  return readForwardedClient(header, { method, path: url, nowMs: now() }, env.INTERNAL_SECRETS)?.ip
}

const SIGNED_CLIENT = FORWARDED_CLIENT_HEADER.toLowerCase()

function pathOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? url : url.slice(0, at)
}

/** Fields of log lines about a request. */
export const logFieldsOf = ({ id, incoming }: Pick<RequestContext, 'id' | 'incoming'>): LogFields => ({
  request_id: id,
  ...traceFieldsOf(traceparentOf(incoming)),
})

/** The client's own trace context, from its `traceparent` header. */
export function traceparentOf(incoming: IncomingMessage): string | undefined {
  const value = incoming.headers['traceparent']
  return typeof value === 'string' ? value : undefined
}
