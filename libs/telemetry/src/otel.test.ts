import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { showBudgets } from './budgets.ts'
import { createLogger } from './logger.ts'
import type { Labels } from './metrics.ts'
import { startTelemetry, type Telemetry } from './otel.ts'
import { below, parentOf, recordSpan, traceparentOf, withSpan } from './spans.ts'

type Collected = { readonly path: string; readonly body: string }

const stops: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

async function aCollector(): Promise<{ url: string; collected: Collected[] }> {
  const collected: Collected[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      collected.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString() })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  stops.push(async () => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${await portOf(server.listen(0, '127.0.0.1'))}`, collected }
}

async function portOf(server: Server): Promise<number> {
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  const port = await portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

describe('telemetry without configuration', () => {
  it('has no tracer and no metrics', async () => {
    const telemetry = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: '', METRICS_PORT: 0 } })

    telemetry.metrics.counter('x', { description: 'x' }).add(1)

    expect(telemetry.tracer).toBeUndefined()
    expect(telemetry.metrics.isOn).toBe(false)
    expect(await withSpan(telemetry.tracer, { name: 'work' }, async (span) => span)).toBeUndefined()
  })
})

describe('metrics', () => {
  it('appear on the Prometheus endpoint', async () => {
    const port = await aFreePort()
    const telemetry = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: '', METRICS_PORT: port } })
    stops.push(telemetry.stop)
    const requests = telemetry.metrics.counter('requests', { description: 'Requests.' })
    const wait = telemetry.metrics.histogram('wait', { description: 'Waiting.', buckets: [0.1, 1] })
    telemetry.metrics.gauge('open', { description: 'Open.' }, () => [{ labels: { kind: 'stream' }, value: 3 }])

    requests.add(2, { outcome: 'ok' })
    requests.add(1, { outcome: 'ok' })
    requests.add(5, { outcome: 'refused' })
    for (const seconds of [0.05, 0.5, 2]) wait.record(seconds)
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

    expect(page).toMatch(/^requests_total\{outcome="ok"\} 3$/m)
    expect(page).toMatch(/^requests_total\{outcome="refused"\} 5$/m)
    expect(page).toMatch(/^open\{kind="stream"\} 3$/m)
    expect(page).toMatch(/wait\w*_bucket\{le="0.1"\} 1$/m)
    expect(page).toMatch(/wait\w*_bucket\{le="1"\} 2$/m)
    expect(page).toMatch(/wait\w*_bucket\{le="\+Inf"\} 3$/m)
    expect(page).toMatch(/wait\w*_sum 2.55$/m)
  })

  it('of budgets have no name that ends like that of a counter, which promtool refuses for a gauge', async () => {
    const port = await aFreePort()
    const { metrics, stop } = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: '', METRICS_PORT: port } })
    stops.push(stop)

    showBudgets(metrics, [{ limits: { name: 'exports', total: 6 }, used: 1, waiting: 2, refused: { deadline: 3 } }])
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const gauges = [...page.matchAll(/^# TYPE (tollgate_\w+) gauge$/gm)].map(([, name]) => name)

    expect(page).toMatch(/\{budget="exports"\} 6$/m)
    expect(gauges).toHaveLength(4)
    expect(gauges.filter((name) => name?.endsWith('_total'))).toEqual([])
  })

  it('keep at most 2 000 sets of labels per instrument', async () => {
    const port = await aFreePort()
    const telemetry = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: '', METRICS_PORT: port } })
    stops.push(telemetry.stop)
    const requests = telemetry.metrics.counter('requests', { description: 'Requests.' })

    for (let at = 0; at < 2500; at += 1) requests.add(1, { model: `m${at}` })
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

    expect(page.match(/^requests_total\{/gm)).toHaveLength(2001)
    expect(page).toMatch(/^requests_total\{overflow="true"\} 500$/m)
  })

  it('stay bounded over several scrapes', async () => {
    const port = await aFreePort()
    const telemetry = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: '', METRICS_PORT: port } })
    stops.push(telemetry.stop)
    const wait = telemetry.metrics.histogram('wait', { description: 'Waiting.', buckets: [1] })
    let page = ''

    for (let at = 0; at < 2500; at += 1) {
      wait.record(1, { model: `m${at}` })
      if (at % 500 === 499) page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    }

    expect(page.match(/^wait_count\{/gm)).toHaveLength(2001)
    expect(page).toMatch(/^wait_count\{overflow="true"\} 500$/m)
  })

  it('leave out a gauge without a reading, and show it again when it has one', async () => {
    const port = await aFreePort()
    const telemetry = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: '', METRICS_PORT: port } })
    stops.push(telemetry.stop)
    let readings: { labels: Labels; value: number }[] = []
    telemetry.metrics.gauge('lag', { description: 'Lag.' }, () => readings)
    const scrape = async (): Promise<string[]> =>
      (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n').filter((line) => line.startsWith('lag'))

    expect(await scrape()).toEqual([])
    readings = [{ labels: { shard: '1' }, value: 4 }]
    expect(await scrape()).toEqual(['lag{shard="1"} 4'])
    readings = []
    expect(await scrape()).toEqual([])
    readings = [{ labels: { shard: '2' }, value: 5 }]
    expect(await scrape()).toEqual(['lag{shard="2"} 5'])
  })

  it('are counted once when they are both pushed and scraped', async () => {
    const { url, collected } = await aCollector()
    const port = await aFreePort()
    const telemetry = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, METRICS_PORT: port } })
    const requests = telemetry.metrics.counter('requests', { description: 'Requests.' })

    requests.add(2)
    const first = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    requests.add(3)
    const second = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    await telemetry.stop()

    expect(first).toMatch(/^requests_total 2$/m)
    expect(second).toMatch(/^requests_total 5$/m)
    const sent = collected.filter(({ path }) => path === '/v1/metrics')
    expect(sent.map(({ body }) => JSON.parse(body).resourceMetrics[0].scopeMetrics[0].metrics[0])).toMatchObject([
      { name: 'requests', sum: { dataPoints: [{ asDouble: 5 }] } },
    ])
  })

  it('listen on 127.0.0.1 unless METRICS_HOST is set', async () => {
    const port = await aFreePort()
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: '', METRICS_PORT: port }

    // 127.0.0.2 is reachable only on a listener that is not bound to 127.0.0.1.
    const local = await startTelemetry({ service: 'test', env })
    await expect(fetch(`http://127.0.0.2:${port}/metrics`)).rejects.toThrow()
    await local.stop()
    const open = await startTelemetry({ service: 'test', env: { ...env, METRICS_HOST: '0.0.0.0' } })
    stops.push(open.stop)
    expect((await fetch(`http://127.0.0.2:${port}/metrics`)).status).toBe(200)
  })

  it('listen on a port of their own in each process', async () => {
    const port = await aFreePort()
    const telemetry = await startTelemetry({
      service: 'test',
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: '', METRICS_PORT: port - 1 },
      instance: 1,
    })
    stops.push(telemetry.stop)

    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
  })

  it('are pushed to the collector at the latest when telemetry stops', async () => {
    const { url, collected } = await aCollector()
    const telemetry = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, METRICS_PORT: 0 } })

    telemetry.metrics.counter('requests', { description: 'Requests.' }).add(7)
    await telemetry.stop()

    const sent = collected.filter(({ path }) => path === '/v1/metrics')
    expect(sent.map(({ body }) => JSON.parse(body).resourceMetrics[0].scopeMetrics[0].metrics[0])).toMatchObject([
      { name: 'requests', sum: { isMonotonic: true, dataPoints: [{ asDouble: 7 }] } },
    ])
  })
})

describe('telemetry with an exporter', () => {
  it('starts once per process, and again after it stopped', async () => {
    const start = async (): Promise<Telemetry> =>
      await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: '', METRICS_PORT: await aFreePort() } })
    const first = await start()

    await expect(start()).rejects.toThrow('already started')
    await first.stop()
    stops.push((await start()).stop)
  })
})

type Sent = {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly { readonly name: string }[] }[] }[]
}
const spansIn = (body: string) =>
  (JSON.parse(body) as Sent).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))

describe('spans', () => {
  it('are recorded from timestamps, as children of the caller, and sent', async () => {
    const { url, collected } = await aCollector()
    const telemetry = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, METRICS_PORT: 0 } })
    const { tracer } = telemetry
    if (tracer === undefined) throw new Error('no tracer')
    const caller = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

    const request = recordSpan(tracer, {
      name: 'request',
      kind: 'server',
      parent: parentOf(caller),
      started: 1000,
      ended: 1250,
      attributes: { status: 200 },
      events: () => [{ name: 'admitted', at: 1100 }],
    })
    recordSpan(tracer, {
      name: 'dispatch',
      parent: below(request),
      started: 1100,
      ended: 1200,
      error: new Error('Bearer abcdefgh12345678'),
    })
    await telemetry.stop()

    const spans = collected
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
    expect(spans).toMatchObject([
      {
        name: 'request',
        traceId: '0af7651916cd43dd8448eb211c80319c',
        parentSpanId: 'b7ad6b7169203331',
        startTimeUnixNano: '1000000000',
        endTimeUnixNano: '1250000000',
        events: [{ name: 'admitted', timeUnixNano: '1100000000' }],
      },
      { name: 'dispatch', parentSpanId: request.spanContext().spanId, status: { code: 2, message: 'Bearer [redacted]' } },
    ])
    expect(traceparentOf(request)).toBe(`00-0af7651916cd43dd8448eb211c80319c-${request.spanContext().spanId}-01`)
  })

  const SAMPLED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const UNSAMPLED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
  it.each([
    [{}, [true, false, true]],
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, [true, true, true]],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, [false, false, false]],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, [true, false, false]],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 0 }, [false, false, false]],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: 0 }, [true, false, false]],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }, [true, false, true]],
  ] as const)('are sent as %o says: for a caller that records, one that does not, and none', async (sampler, sent) => {
    const { url, collected } = await aCollector()
    const telemetry = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, METRICS_PORT: 0, ...sampler } })
    const { tracer } = telemetry
    if (tracer === undefined) throw new Error('no tracer')
    const callers = { records: SAMPLED, 'does not': UNSAMPLED, none: undefined }
    for (const [name, header] of Object.entries(callers)) recordSpan(tracer, { name, parent: parentOf(header), started: 1, ended: 2 })
    await telemetry.stop()

    const names = collected
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => spansIn(body))
      .map(({ name }) => name)
    expect(Object.keys(callers).map((name) => names.includes(name))).toEqual(sent)
  })

  it('are about as many as the ratio says, chosen by the trace', async () => {
    const { url, collected } = await aCollector()
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, METRICS_PORT: 0, OTEL_TRACES_SAMPLER_ARG: 0.25 }
    const telemetry = await startTelemetry({ service: 'test', env: { ...env, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' } })
    const { tracer } = telemetry
    if (tracer === undefined) throw new Error('no tracer')
    for (let nth = 0; nth < 1000; nth += 1) {
      const request = recordSpan(tracer, { name: 'request', parent: parentOf(undefined), started: 1, ended: 2 })
      recordSpan(tracer, { name: 'step', parent: below(request), started: 1, ended: 2 })
    }
    await telemetry.stop()

    const names = collected
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => spansIn(body))
      .map(({ name }) => name)
    const requests = names.filter((name) => name === 'request').length
    expect(requests).toBeGreaterThan(150)
    expect(requests).toBeLessThan(350)
    expect(names.filter((name) => name === 'step')).toHaveLength(requests)
  })

  it.each([
    ['absent', undefined],
    ['truncated', '00-0af7651916cd43dd8448eb211c80319c'],
    ['all zeros', '00-00000000000000000000000000000000-0000000000000000-01'],
    ['not a traceparent', 'x'.repeat(10_000)],
  ])('start a new trace when the traceparent header is %s', async (_, header) => {
    const { url } = await aCollector()
    const telemetry = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, METRICS_PORT: 0 } })
    stops.push(telemetry.stop)
    const { tracer } = telemetry
    if (tracer === undefined) throw new Error('no tracer')

    const span = recordSpan(tracer, { name: 'request', parent: parentOf(header), started: 1, ended: 2 })

    expect(span.spanContext().traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
  })

  it('record the failure of their work, which is rethrown', async () => {
    const { url, collected } = await aCollector()
    const telemetry = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, METRICS_PORT: 0 } })
    const failing = vi.fn(async () => {
      throw new Error('no')
    })

    await expect(withSpan(telemetry.tracer, { name: 'job', kind: 'consumer' }, failing)).rejects.toThrow('no')
    await telemetry.stop()

    const sent = collected.find(({ path }) => path === '/v1/traces')
    expect(JSON.parse(sent?.body ?? '{}').resourceSpans[0].scopeSpans[0].spans).toMatchObject([
      { name: 'job', status: { code: 2, message: 'no' } },
    ])
  })
})

describe('log lines', () => {
  type Sent = {
    resourceLogs: {
      scopeLogs: {
        logRecords: { severityText: string; severityNumber: number; body: object; attributes: { key: string; value: object }[] }[]
      }[]
    }[]
  }
  const recordsIn = (collected: readonly Collected[]) =>
    collected
      .filter(({ path }) => path === '/v1/logs')
      .flatMap(({ body }) => (JSON.parse(body) as Sent).resourceLogs)
      .flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
  const logTo = async (env: { readonly OTEL_LOGS_EXPORTER?: string }): Promise<ReturnType<typeof recordsIn>> => {
    const { url, collected } = await aCollector()
    const telemetry = await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, METRICS_PORT: 0, ...env } })
    const log = createLogger({ service: 'test', level: 'info' })
    log.debug('Not written')
    log.warn({ request_id: 'r1', status: 503, err: new TypeError('broken with sk-abcdefghijklmnopqrstuvwx') }, 'A call failed')
    await telemetry.stop()
    log.warn('After the end')
    return recordsIn(collected)
  }

  it('reach the collector as they are on standard output: redacted, with severity, fields and what was thrown', async () => {
    const [record, ...more] = await logTo({ OTEL_LOGS_EXPORTER: 'otlp' })

    expect(more).toEqual([])
    expect(record).toMatchObject({ severityText: 'warn', severityNumber: 13, body: { stringValue: 'A call failed' } })
    const fields = Object.fromEntries(record?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [])
    expect(fields).toMatchObject({ request_id: 'r1', status: 503, 'exception.type': 'TypeError' })
    expect(fields['exception.message']).toContain('broken with')
    expect(JSON.stringify(record)).not.toContain('abcdefghijklmnop')
  })

  it('stay on standard output unless the variable says otherwise', async () => {
    expect(await logTo({})).toEqual([])
  })
})
