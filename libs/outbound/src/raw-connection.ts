import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { Client } from 'undici'
import { createConnector, portOf, refuseProxied, type Reach } from './connector.ts'
import { OutboundError, toOutboundError } from './errors.ts'
import { requestSocksConnection } from './socks.ts'

export type RawConnectionInput = {
  /** scheme://host[:port]; https and wss are TLS. */
  readonly origin: string
  /** http, https, socks5 or socks5h URL; absent: direct. */
  readonly proxy?: string | undefined
}

type Limits = Reach & { readonly connectTimeoutMs: number }

/**
 * Opens a connection for protocols other than HTTP requests. The guard checks each address after DNS; a proxy resolves names itself, so
 * only its own address, and the name or literal address of the target, are checked. Throws OutboundError.
 */
export async function openRawConnection({ origin, proxy }: RawConnectionInput, limits: Limits): Promise<Socket> {
  const target = parse(origin.replace(/^ws/, 'http'), ['http:', 'https:'])
  try {
    return withErrorListener(await open(target, proxy, limits))
  } catch (error) {
    throw toOutboundError(error)
  }
}

/** An 'error' event without a listener would end the process; the caller adds its own listener. */
function withErrorListener(socket: Socket): Socket {
  return socket.on('error', () => undefined)
}

async function open(target: URL, proxy: string | undefined, limits: Limits): Promise<Socket> {
  if (proxy === undefined || proxy === '') return await connectTo(target, limits)
  const url = parse(proxy.replace(/^socks5h:/, 'socks5:'), ['http:', 'https:', 'socks5:', 'socks:'])
  const refusal = limits.guard && refuseProxied(target, limits.guard)
  if (refusal !== undefined) throw refusal
  const tunnel = url.protocol.startsWith('http')
    ? await connectThroughHttp(url, target, limits)
    : await connectThroughSocks(url, target, limits)
  return target.protocol === 'https:' ? await startTls(withErrorListener(tunnel), target, limits) : tunnel
}

function parse(text: string, protocols: readonly string[]): URL {
  const url = URL.parse(text)
  if (url === null || !protocols.includes(url.protocol)) throw new OutboundError('invalid', 'not a usable URL')
  return url
}

function connectTo(url: URL, limits: Limits): Promise<Socket> {
  const connect = createConnector(url, limits)
  const { hostname, host, port } = url
  const protocol = url.protocol === 'https:' ? 'https:' : 'http:'
  return new Promise((resolve, reject) => {
    connect({ hostname, host, protocol, port: port || String(portOf(url)) }, (...[error, socket]) => {
      if (error === null) resolve(socket)
      else reject(error)
    })
  })
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-connect */
async function connectThroughHttp(proxy: URL, target: URL, limits: Limits): Promise<Socket> {
  const { connectTimeoutMs } = limits
  const client = new Client(proxy.origin, { connect: createConnector(proxy, limits), allowH2: false })
  const host = `${target.hostname}:${portOf(target)}`
  const credentials = proxy.username === '' ? undefined : `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  const authorization = credentials === undefined ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
  const { statusCode, socket } = await client.connect({
    path: host,
    headers: { host, ...authorization },
    signal: AbortSignal.timeout(connectTimeoutMs),
  })
  if (statusCode === 200) return socket as Socket // undici types it as Duplex; for CONNECT it is the connection itself
  socket.destroy()
  throw new OutboundError('connect', `the proxy answered ${statusCode}`)
}

async function connectThroughSocks(proxy: URL, target: URL, limits: Limits): Promise<Socket> {
  const socket = await connectTo(proxy, limits)
  const timer = setTimeout(
    () => socket.destroy(new OutboundError('timeout', 'no response from the proxy in time')),
    limits.connectTimeoutMs,
  )
  try {
    await requestSocksConnection(socket, proxy, { host: target.hostname, port: portOf(target) })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function startTls(socket: Socket, { hostname }: URL, { connectTimeoutMs }: Limits): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const tls = connectTls({ socket, servername: hostname, ALPNProtocols: ['http/1.1'] })
    const timer = setTimeout(() => tls.destroy(new OutboundError('timeout', 'no TLS handshake in time')), connectTimeoutMs)
    tls.once('close', () => clearTimeout(timer))
    tls.once('error', reject)
    tls.once('secureConnect', () => {
      clearTimeout(timer)
      tls.off('error', reject)
      resolve(tls)
    })
  })
}
