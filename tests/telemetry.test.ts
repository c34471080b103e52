import { once } from 'node:events'
import { createServer } from 'node:http'
import { findFreePort } from '@tollgate/servers/free-port'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, ROOT_USER, setUp, type Api } from './support/api.ts'
import { startStack, type Stack } from './support/stack.ts'

type Span = {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
}
type Sent = {
  resourceSpans: { resource: { attributes: { key: string; value: { stringValue?: string } }[] }; scopeSpans: { spans: Span[] }[] }[]
}

describe('traces and metrics', () => {
  const bodies: { path: string; text: string }[] = []
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push({ path: request.url ?? '', text: Buffer.concat(chunks).toString() })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const ports = { controlPlane: 0, worker: 0 }
  let stack: Stack
  let vendor: VendorServer
  let api: Api

  beforeAll(async () => {
    await once(collector.listen(0, '127.0.0.1'), 'listening')
    const address = collector.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${address.port}`
    ports.controlPlane = await findFreePort()
    ports.worker = await findFreePort()
    vendor = await startVendorServer()
    stack = await startStack({
      relays: 0,
      controlPlaneEnv: { OTEL_EXPORTER_OTLP_ENDPOINT, METRICS_PORT: String(ports.controlPlane) },
      workerEnv: { OTEL_EXPORTER_OTLP_ENDPOINT, METRICS_PORT: String(ports.worker) },
    })
    api = await setUp(stack.controlPlane.url)
    await createChannel(api, { base_url: `${vendor.url}/ok`, key: 'sk-vendor-secret-0001' })
  })
  afterAll(async () => {
    await stack.stop()
    await vendor.stop()
    collector.close()
    collector.closeAllConnections()
  })

  const spans = (): Span[] =>
    bodies
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ text }) => (JSON.parse(text) as Sent).resourceSpans)
      .flatMap(({ resource, scopeSpans }) => {
        const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
        return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service })))
      })
  const page = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

  it('follow a channel test from the console call into the job', async () => {
    await vi.waitFor(async () => expect((await api.get('/api/channel/test/1')).success).toBe(true), { timeout: 10_000, interval: 300 })

    const name = 'GET /api/channel/test/{id}'
    const pair = await vi.waitFor(
      () => {
        const job = spans().findLast((span) => span.name === 'job test-channel')
        const call = spans().find((span) => span.name === name && span.traceId === job?.traceId)
        expect([job?.service, call?.service]).toEqual(['tollgate-worker', 'tollgate-control-plane'])
        return { job, call }
      },
      { timeout: 20_000, interval: 200 },
    )
    expect(pair.job?.parentSpanId).toBe(pair.call?.spanId)
  })

  it('show call and job durations, posting lag and the ledger', async () => {
    expect(await page(ports.controlPlane)).toMatch(
      /^tollgate_console_call_duration_seconds_count\{route="\/api\/channel\/test\/\{id\}",method="GET",status="200"\} [1-9]/m,
    )
    await vi.waitFor(async () => expect(await page(ports.worker)).toMatch(/^tollgate_ledger_fence_open 1$/m), {
      timeout: 10_000,
      interval: 200,
    })
    const worker = await page(ports.worker)
    expect(worker).toMatch(/^tollgate_job_duration_seconds_count\{job_name="test-channel",outcome="done"\} [1-9]/m)
    expect(worker).toMatch(/^tollgate_posting_lag_events 0$/m)
    expect(worker).toMatch(/^tollgate_posting_lag_seconds 0$/m)
  })

  it('contain no secret', async () => {
    const sent = [...bodies.map(({ text }) => text), await page(ports.controlPlane), await page(ports.worker)].join('\n')

    expect(sent).toContain('tollgate')
    for (const secret of ['sk-vendor-secret-0001', ROOT_USER.password]) expect(sent).not.toContain(secret)
  })
})
