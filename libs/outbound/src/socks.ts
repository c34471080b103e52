import { isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { OutboundError } from './errors.ts'

const VERSION = 5
const PASSWORD = 2
const NAME = 3

/** Performs the SOCKS 5 handshake on a new connection: https://www.rfc-editor.org/rfc/rfc1928, passwords rfc1929. Throws OutboundError. */
export async function requestSocksConnection(
  socket: Socket,
  { username, password }: URL,
  target: { host: string; port: number },
): Promise<void> {
  const hasPassword = username !== ''
  socket.write(Buffer.from(hasPassword ? [VERSION, 2, 0, PASSWORD] : [VERSION, 1, 0]))
  const [version, method] = await read(socket, 2)
  if (version !== VERSION || (method !== 0 && !(hasPassword && method === PASSWORD))) throw refused('offers no supported authentication')
  if (method === PASSWORD) {
    socket.write(
      Buffer.concat([Buffer.from([1]), lengthPrefixed(decodeURIComponent(username)), lengthPrefixed(decodeURIComponent(password))]),
    )
    const [, status] = await read(socket, 2)
    if (status !== 0) throw refused('rejects the password')
  }
  const port = Buffer.alloc(2)
  port.writeUInt16BE(target.port)
  socket.write(Buffer.concat([Buffer.from([VERSION, 1, 0]), addressOf(target.host), port]))
  const [, reply, , kind] = await read(socket, 4)
  if (reply !== 0) throw refused(`answers ${reply}`)
  // Skip the bound address, which precedes the target's first byte.
  const length = kind === NAME ? ((await read(socket, 1))[0] ?? 0) : kind === 4 ? 16 : 4
  await read(socket, length + 2)
}

const refused = (what: string) => new OutboundError('connect', `the proxy ${what}`)
const lengthPrefixed = (text: string) => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])

function addressOf(host: string): Buffer {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host
  if (isIP(bare) === 0) return Buffer.concat([Buffer.from([NAME]), lengthPrefixed(bare)])
  const bytes = ipaddr.parse(bare).toByteArray()
  return Buffer.from([bytes.length === 4 ? 1 : 4, ...bytes])
}

/** Reads exactly `size` bytes; later bytes stay in the socket. */
async function read(socket: Socket, size: number): Promise<Buffer> {
  for (;;) {
    const bytes: unknown = socket.read(size)
    if (Buffer.isBuffer(bytes) && bytes.length === size) return bytes
    if (socket.readableEnded || socket.destroyed) throw refused('closed the connection')
    await untilReadable(socket)
  }
}

function untilReadable(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const removeListeners = () => {
      socket.off('readable', onReadable)
      socket.off('close', onReadable)
      socket.off('error', onError)
    }
    const onReadable = () => {
      removeListeners()
      resolve()
    }
    const onError = (error: Error) => {
      removeListeners()
      reject(error)
    }
    socket.on('readable', onReadable)
    socket.on('close', onReadable)
    socket.on('error', onError)
  })
}
