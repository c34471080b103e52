import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { fetchMedia, fetchMediaThroughProxy } from './fetch-media.ts'
import { createOutbound, type Outbound } from './outbound.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n-the-rest', 'latin1')
const limits = { maxBytes: 1000, timeoutMs: 2000, maxRedirects: 2 }
const posted: unknown[] = []
let server: Server
let origin: string
let open: Outbound
let closed: Outbound

beforeAll(async () => {
  server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? ''
    const to = (location: string) => outgoing.writeHead(302, { location }).end()
    if (path === '/proxy') {
      let text = ''
      incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
      incoming.on('end', () => {
        posted.push(JSON.parse(text))
        outgoing.writeHead(text.includes('refused') ? 403 : 200, { 'content-type': 'image/png' }).end(PNG)
      })
    } else if (path === '/png') outgoing.writeHead(200, { 'content-type': 'application/octet-stream' }).end(PNG)
    else if (path === '/svg') outgoing.writeHead(200, { 'content-type': 'image/svg+xml; charset=utf-8' }).end('<svg/>')
    else if (path === '/html') outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
    else if (path === '/large') outgoing.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(2000))
    else if (path === '/once') to('/png')
    else if (path === '/for-ever') to('/for-ever')
    else if (path === '/metadata') to('http://169.254.169.254/latest/meta-data')
    else if (path === '/file') to('file:///etc/passwd')
    else if (path !== '/silent') outgoing.writeHead(404).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a listening TCP server has one
  open = createOutbound({ guard: createAddressGuard({ allow: ['127.0.0.0/8'], own: [] }) })
  closed = createOutbound({ guard: createAddressGuard({ allow: [], own: [] }) })
})
afterAll(async () => {
  await Promise.all([open.close(), closed.close()])
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
})

describe('fetchMedia', () => {
  it('detects the type by magic number, otherwise by the server’s header', async () => {
    expect(await fetchMedia(open, `${origin}/png`, { limits })).toEqual({ media_type: 'image/png', bytes: PNG })
    expect(await fetchMedia(open, `${origin}/svg`, { limits })).toMatchObject({ media_type: 'image/svg+xml' })
  })

  it('follows a few redirects', async () => {
    expect(await fetchMedia(open, `${origin}/once`, { limits })).toMatchObject({ media_type: 'image/png' })
    await expect(fetchMedia(open, `${origin}/for-ever`, { limits })).rejects.toMatchObject({ failure: 'malformed' })
  })

  it.each([
    ['what is no image', '/html', 'malformed'],
    ['what is too large', '/large', 'too-large'],
    ['what is not there', '/nothing', 'malformed'],
    ['a redirect to the metadata service', '/metadata', 'blocked'],
    ['a redirect to another protocol', '/file', 'invalid'],
  ])('refuses %s', async (_, path, failure) => {
    await expect(fetchMedia(open, origin + path, { limits })).rejects.toMatchObject({ failure })
  })

  it('stops at its time limit', async () => {
    await expect(fetchMedia(open, `${origin}/silent`, { limits: { ...limits, timeoutMs: 50 } })).rejects.toMatchObject({
      failure: 'timeout',
    })
  })

  it.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://[::1]',
    'http://169.254.169.254',
    'http://10.0.0.1',
    'http://[::ffff:127.0.0.1]',
  ])('reaches nothing private: %s', async (host) => {
    const { port } = new URL(origin)

    await expect(fetchMedia(closed, `${host}:${port}/png`, { limits })).rejects.toMatchObject({ failure: 'blocked' })
  })

  it.each(['file:///etc/passwd', 'ftp://example.com/x', 'not an address', 'http://user:secret@example.com/x'])(
    'does not try %s',
    async (address) => {
      await expect(fetchMedia(open, address, { limits })).rejects.toMatchObject({ failure: 'invalid' })
    },
  )
})

describe('fetchMediaThroughProxy', () => {
  const through = (address: string, allows_http = false) =>
    fetchMediaThroughProxy(open, { url: `${origin}/proxy`, key: 'the-key', allows_http, address, limits })

  it('posts the address with the key and returns the response', async () => {
    expect(await through('https://example.com/x.png')).toEqual({ media_type: 'image/png', bytes: PNG })
    expect(posted).toEqual([{ url: 'https://example.com/x.png', key: 'the-key', method: 'GET', headers: {}, body: null }])
  })

  it('fetches plain http addresses only if that is allowed', async () => {
    await expect(through('http://example.com/x.png')).rejects.toMatchObject({ failure: 'invalid' })
    expect(await through('http://example.com/x.png', true)).toMatchObject({ media_type: 'image/png' })
  })

  it('fails when the proxy refuses', async () => {
    await expect(through('https://refused.example/x.png')).rejects.toMatchObject({ failure: 'malformed' })
  })
})
