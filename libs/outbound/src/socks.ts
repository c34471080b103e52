import { isIP, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { OutboundError } from './errors.ts'

const VERSION = 5
const PASSWORD = 2
const NAME = 3

/** Asks a SOCKS 5 proxy on a fresh connection for the way to a host: https://www.rfc-editor.org/rfc/rfc1928 · passwords: rfc1929 */
export async function greetSocks(socket: Socket, { username, password }: URL, target: { host: string; port: number }): Promise<void> {
  const hasPassword = username !== ''
  socket.write(Buffer.from(hasPassword ? [VERSION, 2, 0, PASSWORD] : [VERSION, 1, 0]))
  const [version, method] = await read(socket, 2)
  if (version !== VERSION || (method !== 0 && !(hasPassword && method === PASSWORD))) throw refused('offers no way to sign in')
  if (method === PASSWORD) {
    socket.write(Buffer.concat([Buffer.from([1]), short(decodeURIComponent(username)), short(decodeURIComponent(password))]))
    const [, status] = await read(socket, 2)
    if (status !== 0) throw refused('refuses the password')
  }
  const port = Buffer.alloc(2)
  port.writeUInt16BE(target.port)
  socket.write(Buffer.concat([Buffer.from([VERSION, 1, 0]), addressOf(target.host), port]))
  const [, reply, , kind] = await read(socket, 4)
  if (reply !== 0) throw refused(`answers ${reply}`)
  // Where it is connected from: of no use, but it stands before the first byte of the target.
  const length = kind === NAME ? ((await read(socket, 1))[0] ?? 0) : kind === 4 ? 16 : 4
  await read(socket, length + 2)
}

const refused = (what: string) => new OutboundError('connect', `the proxy ${what}`)
const short = (text: string) => Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])

function addressOf(host: string): Buffer {
  const bare = host.startsWith('[') ? host.slice(1, -1) : host
  if (isIP(bare) === 0) return Buffer.concat([Buffer.from([NAME]), short(bare)])
  const bytes = ipaddr.parse(bare).toByteArray()
  return Buffer.from([bytes.length === 4 ? 1 : 4, ...bytes])
}

/** Exactly so many bytes; what follows them stays in the socket. */
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
    const leave = () => {
      socket.off('readable', onReadable)
      socket.off('close', onReadable)
      socket.off('error', onError)
    }
    const onReadable = () => {
      leave()
      resolve()
    }
    const onError = (error: Error) => {
      leave()
      reject(error)
    }
    socket.on('readable', onReadable)
    socket.on('close', onReadable)
    socket.on('error', onError)
  })
}
