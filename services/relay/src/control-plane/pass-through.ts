import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { clientIp, isWithin } from '@tollgate/http/client-ip'
import { FORWARDED_CLIENT_HEADER, signForwardedClient } from '@tollgate/http/internal-auth'
import { FORWARDING_HEADERS, isDirectLocalCall } from '@tollgate/http/origin'
import type { RelayDeps } from '../deps.ts'
import { SECURITY_HEADERS } from '../transport/reply.ts'

/** Meaningful on one connection only: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])
const SIGNED = FORWARDED_CLIENT_HEADER.toLowerCase()

type Deps = Pick<RelayDeps, 'inner' | 'env' | 'now' | 'log'>

/** Forwards a call to the control plane with both bodies streamed; the client's address is signed. */
export function passThrough(incoming: IncomingMessage, outgoing: ServerResponse, deps: Deps): void {
  const method = incoming.method ?? 'GET'
  const path = incoming.url ?? '/'
  const hasBody = method !== 'GET' && method !== 'HEAD'
  let isWaiting = false
  const call = deps.inner.dispatch(
    {
      method,
      origin: deps.env.CONSOLE_ORIGIN.replace(/\/$/, ''),
      path,
      headers: forwardHeaders(incoming, path, deps),
      body: hasBody ? incoming : undefined,
      poolKey: 'console',
    },
    {
      onHead: (status, headers) => {
        outgoing.writeHead(status, responseHeaders(headers))
        outgoing.flushHeaders()
      },
      onData: (chunk) => {
        if (outgoing.write(chunk) || isWaiting) return
        isWaiting = true
        call.pause()
        outgoing.once('drain', () => {
          isWaiting = false
          call.resume()
        })
      },
      onEnd: () => void outgoing.end(),
      onError: (err) => {
        if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy()
        deps.log.warn({ err, method }, 'Control plane unreachable')
        const body = JSON.stringify({
          success: false,
          message: '控制台服务暂不可用，请稍后再试 / The console is not available, try again shortly',
        })
        outgoing.writeHead(502, { ...SECURITY_HEADERS, 'Content-Type': 'application/json; charset=utf-8', 'Retry-After': '2' }).end(body)
      },
    },
  )
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) call.abort()
  })
}

function forwardHeaders(incoming: IncomingMessage, path: string, { env, now }: Deps): string[] {
  const peer = incoming.socket.remoteAddress ?? ''
  const isTrusted = isWithin(peer, env.TRUSTED_PROXIES)
  const named = connectionHeaders(incoming.headers.connection)
  const headers: string[] = []
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    const name = (incoming.rawHeaders[at] ?? '').toLowerCase()
    if (
      HOP_BY_HOP.has(name) ||
      named.has(name) ||
      name === SIGNED ||
      name === 'x-forwarded-for' ||
      (!isTrusted && FORWARDING_HEADERS.has(name))
    )
      continue
    headers.push(name, incoming.rawHeaders[at + 1] ?? '')
  }
  const earlier = isTrusted ? incoming.headers['x-forwarded-for'] : undefined
  headers.push('x-forwarded-for', earlier === undefined ? peer : `${String(earlier)}, ${peer}`)
  const client = { ip: clientIp(incoming, env.TRUSTED_PROXIES), is_direct: isDirectLocalCall(incoming) }
  headers.push(SIGNED, signForwardedClient({ method: incoming.method ?? 'GET', path, ...client, nowMs: now() }, env.INTERNAL_SECRETS))
  return headers
}

function responseHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)))
}

function connectionHeaders(header: string | undefined): Set<string> {
  return new Set((header ?? '').split(',').map((part) => part.trim().toLowerCase()))
}
