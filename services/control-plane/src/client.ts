import type { IncomingMessage } from 'node:http'
import { clientIp, isWithin } from '@tollgate/http/client-ip'
import { FORWARDED_CLIENT_HEADER, readForwardedClient, type ForwardedClient } from '@tollgate/http/internal-auth'
import { isDirectLocalCall } from '@tollgate/http/origin'
import type { Context } from 'hono'
import type { Deps } from './deps.ts'

export type Client = ForwardedClient & {
  /** The host that the client named: the `Host` header, or what a trusted proxy forwarded. */
  readonly host: string
}

/** The client that a relay signed, or else the one of the socket and the trusted proxies. */
export function readClient({ env, now }: Pick<Deps, 'env' | 'now'>, c: Context): Client {
  const host = c.req.header('host') ?? new URL(c.req.url).host
  // Set whenever a real server serves the call; app.request in tests has no environment.
  const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming
  if (incoming === undefined) return { ip: '127.0.0.1', is_direct: true, host }
  const call = { method: c.req.method, path: incoming.url ?? '', nowMs: now() }
  const vouched = readForwardedClient(c.req.header(FORWARDED_CLIENT_HEADER), call, env.INTERNAL_SECRETS)
  // A relay drops the forwarding headers of peers that it does not trust.
  const isBehindProxy = vouched !== undefined || isWithin(incoming.socket.remoteAddress ?? '', env.TRUSTED_PROXIES)
  const forwarded = isBehindProxy ? c.req.header('x-forwarded-host')?.split(',').at(-1)?.trim() : undefined
  const seen = vouched ?? { ip: clientIp(incoming, env.TRUSTED_PROXIES), is_direct: isDirectLocalCall(incoming) }
  return { ...seen, host: forwarded === undefined || forwarded === '' ? host : forwarded }
}
