import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { createOperatorNames } from './names/names.ts'
import { openRawConnection, type RawConnectionInput } from './raw-connection.ts'

const limits = {
  guard: createAddressGuard({ allow: ['127.0.0.0/8'], own: ['*:6379'] }),
  names: createOperatorNames(),
  connectTimeoutMs: 500,
}
const closers: (() => void)[] = []
let echo = 0

beforeAll(async () => {
  echo = await listen(createServer((socket) => socket.on('error', ignore).pipe(socket)))
})
afterAll(() => {
  for (const close of closers) close()
})

const ignore = () => undefined

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port // it listens
}

/** Sends a word and returns its echo. */
async function echoed(input: RawConnectionInput): Promise<string> {
  const socket = await openRawConnection(input, limits)
  const answer = await new Promise<string>((resolve, reject) => {
    socket.on('data', (chunk) => resolve(chunk.toString()))
    socket.on('error', reject)
    socket.write('hello')
  })
  socket.destroy()
  return answer
}

type Socks = { readonly port: number; readonly asked: string[] }

/** A SOCKS 5 server that requires the given name and password and sends this reply code. */
async function startSocks({ login, reply = 0 }: { login?: string; reply?: number }): Promise<Socks> {
  const asked: string[] = []
  const port = await listen(
    createServer((socket) => {
      let step = login === undefined ? 'way' : 'login'
      socket.on('error', ignore)
      socket.once('data', () => {
        socket.write(Buffer.from([5, login === undefined ? 0 : 2]))
        socket.on('data', (chunk: Buffer) => {
          if (step === 'open') return
          if (step === 'login') {
            const size = chunk[1] ?? 0
            const given = `${chunk.subarray(2, 2 + size).toString()}:${chunk.subarray(3 + size).toString()}`
            step = 'way'
            return void socket.write(Buffer.from([1, given === login ? 0 : 1]))
          }
          const isName = chunk[3] === 3
          const host = isName ? chunk.subarray(5, 5 + (chunk[4] ?? 0)).toString() : chunk.subarray(4, 8).join('.')
          asked.push(`${host}:${chunk.readUInt16BE(chunk.length - 2)}`)
          step = 'open'
          const target = connect(echo, '127.0.0.1', () => {
            socket.write(Buffer.from([5, reply, 0, 3, 4, 110, 97, 109, 101, 0, 80]))
            if (reply === 0) socket.pipe(target).pipe(socket)
          })
          target.on('error', ignore)
        })
      })
    }),
  )
  return { port, asked }
}

async function startHttpProxy(status: number): Promise<{ port: number; heads: (string | undefined)[] }> {
  const heads: (string | undefined)[] = []
  const server = createHttpServer()
  server.on('connect', ({ url, headers }, socket) => {
    heads.push(`${url} ${headers['proxy-authorization']}`)
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
    const target = connect(echo, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    target.on('error', ignore)
    socket.on('error', ignore)
  })
  return { port: await listen(server), heads }
}

describe('openRawConnection', () => {
  it('connects directly', async () => {
    expect(await echoed({ origin: `http://127.0.0.1:${echo}` })).toBe('hello')
  })

  it('goes through an HTTP proxy, with its password', async () => {
    const { port, heads } = await startHttpProxy(200)

    expect(await echoed({ origin: 'ws://vendor.example:8080', proxy: `http://me:p%40ss@127.0.0.1:${port}` })).toBe('hello')

    expect(heads).toEqual([`vendor.example:8080 Basic ${Buffer.from('me:p@ss').toString('base64')}`])
  })

  it.each([
    ['by name', 'http://vendor.example', undefined, 'vendor.example:80'],
    ['by address', 'http://127.0.0.9:81', undefined, '127.0.0.9:81'],
    ['with a password', 'http://vendor.example:82', 'me:p@ss', 'vendor.example:82'],
  ])('goes through a SOCKS 5 proxy: %s', async (_name, origin, login, way) => {
    const { port, asked } = await startSocks(login === undefined ? {} : { login })
    const credentials = login === undefined ? '' : 'me:p%40ss@'

    expect(await echoed({ origin, proxy: `socks5h://${credentials}127.0.0.1:${port}` })).toBe('hello')

    expect(asked).toEqual([way])
  })

  it('fails if the proxy refuses', async () => {
    const http = await startHttpProxy(407)
    const socks = await startSocks({ reply: 2 })
    const locked = await startSocks({ login: 'me:p@ss' })
    const open = (proxy: string) => openRawConnection({ origin: 'http://vendor.example', proxy }, limits)

    await expect(open(`http://127.0.0.1:${http.port}`)).rejects.toMatchObject({ failure: expect.any(String) })
    await expect(open(`socks5://127.0.0.1:${socks.port}`)).rejects.toMatchObject({ failure: 'connect' })
    await expect(open(`socks5://me:wrong@127.0.0.1:${locked.port}`)).rejects.toMatchObject({ failure: 'connect' })
    await expect(open(`socks5://127.0.0.1:${locked.port}`)).rejects.toMatchObject({ failure: 'connect' })
  })

  it('times out if the proxy does not respond', async () => {
    const silent = await listen(createServer((socket) => void socket.on('error', ignore)))
    const open = (proxy: string) => openRawConnection({ origin: 'http://vendor.example', proxy }, limits)

    await expect(open(`socks5://127.0.0.1:${silent}`)).rejects.toThrow()
    await expect(open(`http://127.0.0.1:${silent}`)).rejects.toThrow()
  })

  it.each([
    ['a private address', { origin: 'http://10.0.0.1' }],
    ['the metadata service', { origin: 'ws://169.254.169.254' }],
    ['a name that resolves to a private address', { origin: 'http://localhost:6379' }],
    ['a private address behind a proxy', { origin: 'http://10.0.0.1', proxy: 'http://127.0.0.1:1' }],
    ['a proxy at a private address', { origin: 'http://vendor.example', proxy: 'socks5://192.168.0.1' }],
  ])('does not reach %s', async (_name, input) => {
    await expect(openRawConnection(input, limits)).rejects.toMatchObject({ failure: 'blocked' })
  })

  it.each([['ftp://vendor.example'], ['no address']])('refuses %s', async (origin) => {
    await expect(openRawConnection({ origin }, limits)).rejects.toMatchObject({ failure: 'invalid' })
  })
})
