import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { AppError } from '@tollgate/contracts/app-error'
import { errors } from '@tollgate/contracts/errors'
import type { ErrorRow } from '@tollgate/contracts/errors/row'
import { addressBlock, clientIp, isWithin } from '@tollgate/http/client-ip'
import { FORWARDED_CLIENT_HEADER, signForwardedClient } from '@tollgate/http/internal-auth'
import { FORWARDING_HEADERS, isDirectLocalCall } from '@tollgate/http/origin'
import type { Refusal, Share } from '@tollgate/shares/budget'
import type { RelayDeps } from '../../deps.ts'
import { ClientDisconnectedError } from '../../errors/client-disconnected-error.ts'
import { watchPace, type Pace } from '../../transport/body/pace.ts'
import { SECURITY_HEADERS } from '../../transport/reply.ts'
import { purposeOf, SMALL_BODY, type Purpose } from '../../control-plane/passed-calls.ts'
import { readAhead } from './read-ahead.ts'
import { watchReader } from './watch-reader.ts'

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

type Deps = Pick<RelayDeps, 'inner' | 'env' | 'now' | 'log' | 'passed' | 'bodyPace'>
type Call = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse; readonly deps: Deps }

/**
 * Forwards a call to the control plane; the client's address is signed. A small body is complete before the call takes a connection, a
 * large one is streamed, and so are answers.
 */
export async function passThrough(incoming: IncomingMessage, outgoing: ServerResponse, deps: Deps): Promise<void> {
  const call = { incoming, outgoing, deps }
  const owner = { address: addressBlock(clientIp(incoming, deps.env.TRUSTED_PROXIES)) }
  const { passed } = deps
  let bytes: Share | undefined
  try {
    bytes = take(passed.bytes.tryTake(owner, 0))
    const body = await receiveBody(call, bytes)
    const purpose = purposeOf(incoming.url ?? '/', body !== incoming)
    const gone = new AbortController()
    const leave = (): void => gone.abort()
    outgoing.once('close', leave)
    const place = take(await passed.calls[purpose].take(owner, { signal: gone.signal }))
    outgoing.off('close', leave)
    send(call, { body, purpose, release: place.release })
  } catch (error) {
    refusePassed(call, error)
  } finally {
    bytes?.release()
  }
}

/** The body as far as it is read before its call takes a connection: all of a small one. */
async function receiveBody({ incoming, outgoing, deps }: Call, share: Share): Promise<Buffer | IncomingMessage | undefined> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return undefined
  if (incoming.headers.expect !== undefined) outgoing.writeContinue()
  return (await readAhead(incoming, { max: SMALL_BODY, share, pace: deps.bodyPace })) ?? incoming
}

function take(share: Share | Refusal): Share {
  if (typeof share !== 'string') return share
  if (share === 'aborted') throw new ClientDisconnectedError()
  throw new AppError(share === 'share' ? 'console.share' : 'console.busy')
}

type Passing = { readonly body: Buffer | IncomingMessage | undefined; readonly purpose: Purpose; release(): void }

function send(call: Call, { body, purpose, release }: Passing): void {
  const { incoming, outgoing, deps } = call
  const method = incoming.method ?? 'GET'
  const path = incoming.url ?? '/'
  const reader = watchReader(outgoing, deps.bodyPace, () => outgoing.destroy())
  const upload = body === incoming ? watchUpload(incoming, deps.bodyPace, (error) => refusePassed(call, error)) : undefined
  const inFlight = deps.inner.dispatch(
    {
      method,
      origin: deps.env.CONSOLE_ORIGIN.replace(/\/$/, ''),
      path,
      headers: forwardHeaders(incoming, path, { ...deps, isWhole: Buffer.isBuffer(body) }),
      body: upload ?? body,
      poolKey: `console-${purpose}`,
      connections: deps.passed.calls[purpose].limits.total,
    },
    {
      onHead: (status, headers) => {
        outgoing.writeHead(status, responseHeaders(headers))
        outgoing.flushHeaders()
      },
      onData: (chunk) => {
        if (!reader.write(chunk, () => inFlight.resume())) inFlight.pause()
      },
      onEnd: () => {
        release()
        outgoing.end()
      },
      onError: (error) => {
        release()
        refusePassed(call, error)
      },
    },
  )
  const abort = (): void => {
    if (!outgoing.writableFinished) inFlight.abort()
  }
  outgoing.once('close', abort)
  if (outgoing.closed) abort()
}

/** The upload as a stream of its own, which an upload that is too slow ends. */
function watchUpload(incoming: IncomingMessage, pace: Pace, onSlow: (error: AppError) => void): Readable {
  const counted = { size: 0 }
  const upload = new PassThrough()
  const unwatch = watchPace(counted, pace, () => {
    incoming.unpipe(upload)
    onSlow(new AppError('request.slow'))
    upload.destroy()
  })
  incoming.on('data', (chunk: Buffer) => void (counted.size += chunk.length))
  incoming.once('close', unwatch)
  incoming.once('end', unwatch)
  upload.once('close', unwatch)
  return incoming.pipe(upload)
}

/** Answers in the console's envelope, in both languages. A client that has left, or has a part of its answer, is cut off. */
function refusePassed({ incoming, outgoing, deps }: Call, cause: unknown): void {
  if (cause instanceof ClientDisconnectedError || outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy()
  if (!(cause instanceof AppError)) deps.log.warn({ err: cause, method: incoming.method }, 'Control plane unreachable')
  const error = cause instanceof AppError ? cause : new AppError('console.unreachable', {}, { cause })
  const { status }: ErrorRow = errors[error.code]
  const body = JSON.stringify({ success: false, message: `${error.text('zh')} / ${error.text('en')}` })
  outgoing.writeHead(status, {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Retry-After': '2',
    ...(incoming.complete ? {} : { Connection: 'close' }),
  })
  outgoing.end(body)
}

type Forwarding = Pick<Deps, 'env' | 'now'> & {
  /** The body has a length that the call states itself. */
  readonly isWhole: boolean
}

function forwardHeaders(incoming: IncomingMessage, path: string, { env, now, isWhole }: Forwarding): string[] {
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
      (isWhole && name === 'content-length') ||
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
