import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createAdminClient } from './client.ts'
import { AdminError, dataOf, resultOf } from './result.ts'

type Answer = { readonly status: number; readonly type?: string; readonly body: string }

describe('the result of a call', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  /** The address of a server that gives one answer to every call; without one it never answers. */
  const serve = async (answer?: Answer): Promise<string> => {
    const server = createServer((_, response) => {
      if (answer !== undefined) response.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' }).end(answer.body)
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
  }
  const read = async (answer?: Answer, timeoutMs = 10_000) =>
    await resultOf(createAdminClient({ address: await serve(answer), timeoutMs }).GET('/api/models'))

  it('is the data of the envelope', async () => {
    const body = JSON.stringify({ success: true, message: 'done', data: { '1': ['gpt-4o-mini'] } })

    expect(await read({ status: 200, body })).toEqual({ ok: true, message: 'done', data: { '1': ['gpt-4o-mini'] } })
  })

  it('is a refusal with its field, also when the status says success', async () => {
    const body = JSON.stringify({ success: false, message: 'no such group', field: 'group' })

    expect(await read({ status: 200, body })).toEqual({
      ok: false,
      failure: { kind: 'refused', message: 'no such group', field: 'group', status: 200 },
    })
    expect(await read({ status: 403, body })).toMatchObject({ failure: { kind: 'refused', status: 403 } })
  })

  it.each([
    ['a page', { status: 200, type: 'text/html', body: '<!doctype html>' }, 'other-server'],
    ['a page that says not found', { status: 404, type: 'text/html', body: '<h1>Not found</h1>' }, 'other-server'],
    [
      'the answer to a path that Tollgate does not know',
      { status: 404, body: '{"error":{"message":"Invalid URL (GET /api/models)"}}' },
      'missing',
    ],
  ])('tells %s from an answer', async (_, answer, kind) => {
    expect(await read(answer)).toMatchObject({ ok: false, failure: { kind } })
  })

  it('is a failure when the server does not answer in time, or is not there', async () => {
    expect(await read(undefined, 50)).toMatchObject({ failure: { kind: 'timeout' } })
    const address = await serve()
    servers.splice(0).forEach((server) => server.close())
    const call = resultOf(createAdminClient({ address }).GET('/api/models'))
    expect(await call).toMatchObject({ failure: { kind: 'unreachable', message: expect.stringContaining('ECONNREFUSED') as string } })
  })

  it('throws what went wrong where only the data is asked for', async () => {
    const body = JSON.stringify({ success: false, message: 'no' })
    const call = dataOf(createAdminClient({ address: await serve({ status: 401, body }) }).GET('/api/models'))

    await expect(call).rejects.toThrow(new AdminError({ kind: 'refused', message: 'no', status: 401 }))
  })
})
