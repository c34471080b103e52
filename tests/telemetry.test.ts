import { once } from 'node:events'
import { createServer } from 'node:http'
import { randomBytes } from 'node:crypto'
import { findFreePort } from '@tollgate/servers/free-port'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, createToken, must, ROOT_USER, setUp, type Api } from './support/api.ts'
import { startStack, type Stack } from './support/stack.ts'
import { TaskVendor } from './support/task-vendor.ts'

type Span = {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly kind: number
  readonly attributes?: readonly Attribute[]
  readonly events?: readonly { readonly name: string }[]
}
type Value = { readonly stringValue?: string; readonly intValue?: number; readonly doubleValue?: number; readonly boolValue?: boolean }
type Attribute = { readonly key: string; readonly value: Value & { readonly arrayValue?: { readonly values: readonly Value[] } } }
type Histogram = {
  readonly dataPoints: readonly { readonly sum: number; readonly count: number; readonly attributes: readonly Attribute[] }[]
}
type SentMetrics = { resourceMetrics: { scopeMetrics: { metrics: { name: string; histogram?: Histogram }[] }[] }[] }
type LogRecord = { readonly traceId?: string; readonly spanId?: string; readonly body: Value }
type SentLogs = { resourceLogs: { scopeLogs: { logRecords: LogRecord[] }[] }[] }
type Sent = {
  resourceSpans: { resource: { attributes: { key: string; value: { stringValue?: string } }[] }; scopeSpans: { spans: Span[] }[] }[]
}

/** SPAN_KIND_…: https://github.com/open-telemetry/opentelemetry-proto/blob/v1.5.0/opentelemetry/proto/trace/v1/trace.proto */
const SERVER = 2
const CLIENT = 3

function plain({ arrayValue, ...value }: Attribute['value']): unknown {
  return arrayValue === undefined ? Object.values(value)[0] : arrayValue.values.map((one) => plain(one))
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
      relayEnv: {
        OTEL_EXPORTER_OTLP_ENDPOINT,
        OTEL_SEMCONV_STABILITY_OPT_IN: 'http,gen_ai_latest_experimental',
        OTEL_LOGS_EXPORTER: 'otlp',
        LOG_LEVEL: 'trace',
      },
      controlPlaneEnv: { OTEL_EXPORTER_OTLP_ENDPOINT, METRICS_PORT: String(ports.controlPlane) },
      workerEnv: { OTEL_EXPORTER_OTLP_ENDPOINT, METRICS_PORT: String(ports.worker), OTEL_LOGS_EXPORTER: 'otlp', LOG_LEVEL: 'debug' },
    })
    api = await setUp(stack.controlPlane.url)
    await createChannel(api, { base_url: `${vendor.url}/ok`, key: 'sk-vendor-secret-0001' })
    await createChannel(api, { name: 'broken', base_url: `${vendor.url}/status~500`, priority: 10, models: 'gpt-4o' })
    must(await api.put('/api/option/', { key: 'RetryTimes', value: '2' }))
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
  const logs = (): LogRecord[] =>
    bodies
      .filter(({ path }) => path === '/v1/logs')
      .flatMap(({ text }) => (JSON.parse(text) as SentLogs).resourceLogs)
      .flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
  /** Tokens of the requests of relays, by their type. */
  const tokens = (): Record<string, number> => {
    const sums: Record<string, number> = {}
    for (const { path, text } of bodies)
      if (path === '/v1/metrics')
        for (const { scopeMetrics } of (JSON.parse(text) as SentMetrics).resourceMetrics)
          for (const { name, histogram } of scopeMetrics.flatMap((scope) => scope.metrics))
            if (name === 'gen_ai.client.token.usage')
              for (const { sum, attributes } of histogram?.dataPoints ?? [])
                sums[String(plain(attributes.find(({ key }) => key === 'gen_ai.token.type')?.value ?? {}))] = sum
    return sums
  }
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
    await vi.waitFor(
      () => {
        const line = logs().find(({ body, spanId }) => body.stringValue === 'Job done' && spanId === pair.job?.spanId)
        expect(line?.traceId).toBe(pair.job?.traceId)
      },
      { timeout: 20_000, interval: 200 },
    )
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

  it('follow the conventions for generative AI: a span per attempt in the caller’s trace, and histograms', async () => {
    const { key } = await createToken(api, { name: 'traced' })
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const answer = await fetch(`${stack.relays[0]?.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer sk-${key}`,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
      },
      body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'a secret question' }] }),
    })
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('[DONE]')])
    const id = answer.headers.get('x-oneapi-request-id')

    const [first, second] = await vi.waitFor(
      () => {
        const found = spans().filter((span) => span.traceId === traceId && span.kind === CLIENT && !span.name.includes('/'))
        expect(found.map(({ name }) => name)).toEqual(['chat gpt-4o', 'chat gpt-4o'])
        return found.map(({ attributes = [] }) => Object.fromEntries(attributes.map(({ key: name, value }) => [name, plain(value)])))
      },
      { timeout: 20_000, interval: 200 },
    )
    const request = spans().find((span) => span.traceId === traceId && span.kind === SERVER && span.service === 'tollgate-relay')
    expect(request?.events?.map(({ name }) => name)).toEqual(expect.arrayContaining(['identify', 'reserve', 'deliver']))
    const shared = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'tollgate.request.id': id,
    }
    expect(first).toMatchObject({ ...shared, 'error.type': 'refused', 'http.response.status_code': 500, 'tollgate.attempt': 1 })
    expect(second).toMatchObject({
      ...shared,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.cache_read.input_tokens': 0,
      'tollgate.attempt': 2,
      'tollgate.charge': expect.any(Number),
      'tollgate.usage.source': 'upstream',
    })

    await vi.waitFor(
      () => expect(tokens()).toEqual({ input: second?.['gen_ai.usage.input_tokens'], output: second?.['gen_ai.usage.output_tokens'] }),
      {
        timeout: 30_000,
        interval: 500,
      },
    )
    expect(bodies.map(({ text }) => text).join('')).not.toContain('a secret question')
  })

  describe('prompts and answers', () => {
    const PROMPT = 'a question that only two switches disclose'
    const chat = (content: unknown) => ({ model: 'gpt-4o-mini', messages: [{ role: 'user', content }] })
    /** Sends a request and gives the attributes of the span of its attempt. */
    const ask = async (key: string, path: string, body: object): Promise<Record<string, unknown>> => {
      const traceId = randomBytes(16).toString('hex')
      const answer = await fetch(`${stack.relays[0]?.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer sk-${key}`,
          'content-type': 'application/json',
          traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
        },
        body: JSON.stringify(body),
      })
      expect(answer.status, await answer.text()).toBe(200)
      return await vi.waitFor(
        () => {
          const span = spans().find((one) => one.traceId === traceId && one.kind === CLIENT)
          expect(span).toBeDefined()
          return Object.fromEntries(span?.attributes?.map(({ key: name, value }) => [name, plain(value)]) ?? [])
        },
        { timeout: 20_000, interval: 200 },
      )
    }
    const messages = (attributes: Record<string, unknown>, name: string): unknown => JSON.parse(String(attributes[name]))
    const allow = async (value: string) => must(await api.put('/api/option/', { key: 'TelemetryContentEnabled', value }))
    /** Relays learn of an option a moment after the call. */
    const askAllowed = (key: string, path: string, body: object) =>
      vi.waitFor(
        async () => {
          const attributes = await ask(key, path, body)
          expect(attributes).toHaveProperty('gen_ai.input.messages')
          return attributes
        },
        { timeout: 30_000, interval: 100 },
      )
    let open: string
    let closed: string
    const drawings = new TaskVendor()

    beforeAll(async () => {
      await drawings.start()
      await createChannel(api, { type: 2, name: 'drawings', base_url: drawings.url, key: 'mj-key', models: 'mj_imagine' })
      await createChannel(api, { name: 'sessions', base_url: `${vendor.url}/ok`, models: 'gpt-realtime' })
      await createChannel(api, { type: 24, name: 'live', base_url: `${vendor.url}/ok`, models: 'gemini-3.8-live' })
      open = (await createToken(api, { name: 'traced with content', telemetry_content: true })).key
      closed = (await createToken(api, { name: 'traced without content' })).key
    })

    afterAll(() => drawings.server?.close())

    it('are recorded only where the option and the token allow it', async () => {
      expect(await ask(open, '/v1/chat/completions', chat(PROMPT))).not.toHaveProperty('gen_ai.input.messages')

      await allow('true')

      const both = await askAllowed(open, '/v1/chat/completions', chat(PROMPT))
      expect(messages(both, 'gen_ai.input.messages')).toEqual([{ role: 'user', parts: [{ type: 'text', content: PROMPT }] }])
      expect(messages(both, 'gen_ai.output.messages')).toEqual([
        { role: 'assistant', parts: [{ type: 'text', content: 'Hello from the scripted vendor.' }], finish_reason: 'stop' },
      ])
      const withoutToken = await ask(closed, '/v1/chat/completions', chat(PROMPT))
      expect(withoutToken).not.toHaveProperty('gen_ai.input.messages')
      expect(withoutToken).not.toHaveProperty('gen_ai.output.messages')
    })

    // Side by side: spans are sent every five seconds, and each of these tests waits for its own.
    it.concurrent('are recorded of streams in every chat format', async () => {
      const contents = [{ role: 'user', parts: [{ text: PROMPT }] }]
      const requests: readonly (readonly [path: string, body: object])[] = [
        ['/v1/chat/completions', { ...chat(PROMPT), stream: true }],
        ['/v1/responses', { model: 'gpt-4o-mini', input: PROMPT, stream: true, store: false }],
        ['/v1/messages', { ...chat(PROMPT), max_tokens: 50, stream: true }],
        ['/v1beta/models/gpt-4o-mini:streamGenerateContent?alt=sse', { contents }],
        ['/v1beta/models/gpt-4o-mini:streamGenerateContent', { contents }],
      ]

      const recorded = await Promise.all(
        requests.map(async ([path, body]) => {
          const attributes = await ask(open, path, body)
          return [messages(attributes, 'gen_ai.input.messages'), messages(attributes, 'gen_ai.output.messages')]
        }),
      )

      const input = [{ role: 'user', parts: [{ type: 'text', content: PROMPT }] }]
      const output = [{ role: 'assistant', parts: [{ type: 'text', content: 'Hello from the scripted vendor.' }], finish_reason: 'stop' }]
      expect(recorded).toEqual(requests.map(() => [input, output]))
    })

    it.concurrent('are recorded of Interactions, whole and streamed', async () => {
      const interaction = { model: 'gpt-4o-mini', input: PROMPT, store: false }
      const requests = [interaction, { ...interaction, stream: true }]
      for (const attributes of await Promise.all(requests.map((body) => ask(open, '/v1beta/interactions', body)))) {
        expect(messages(attributes, 'gen_ai.input.messages')).toEqual([{ role: 'user', parts: [{ type: 'text', content: PROMPT }] }])
        expect(messages(attributes, 'gen_ai.output.messages')).toEqual([
          { role: 'assistant', parts: [{ type: 'text', content: 'Hello from the scripted vendor.' }], finish_reason: 'stop' },
        ])
      }
    })

    it.concurrent('are recorded of tasks, without an answer', async () => {
      const [attributes, withoutToken] = await Promise.all([open, closed].map((key) => ask(key, '/mj/submit/imagine', { prompt: PROMPT })))
      expect(messages(attributes ?? {}, 'gen_ai.input.messages')).toEqual([{ role: 'user', parts: [{ type: 'text', content: PROMPT }] }])
      expect(attributes).not.toHaveProperty('gen_ai.output.messages')
      expect(withoutToken).toBeDefined()
      expect(withoutToken).not.toHaveProperty('gen_ai.input.messages')
    })

    it.concurrent.each([
      [
        'a realtime session',
        '/v1/realtime?model=gpt-realtime',
        [
          { type: 'conversation.item.create', item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: PROMPT }] } },
          { type: 'response.create' },
        ],
        'response.done',
        'Hello there',
      ],
      [
        'a live session',
        '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
        [
          { setup: { model: 'models/gemini-3.8-live' } },
          { clientContent: { turns: [{ role: 'user', parts: [{ text: PROMPT }] }], turnComplete: true } },
        ],
        'usageMetadata',
        undefined,
      ],
      [
        'responses over a WebSocket',
        '/v1/responses',
        [{ type: 'response.create', model: 'gpt-4o-mini', input: PROMPT, store: false }],
        'response.completed',
        'Hello from the scripted vendor.',
      ],
    ])('are recorded of %s, a turn at a time', async (_, path, events, end, answer) => {
      const traceId = randomBytes(16).toString('hex')
      const headers = { authorization: `Bearer sk-${open}`, traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
      const socket = new WebSocket(`${stack.relays[0]?.url.replace('http', 'ws')}${path}`, { headers })
      let received = ''
      socket.on('message', (data: Buffer) => (received += data.toString()))
      await once(socket, 'open')
      for (const event of events) socket.send(JSON.stringify(event))
      await vi.waitFor(() => expect(received).toContain(end), { timeout: 10_000 })
      socket.close()

      const attributes = await vi.waitFor(
        () => {
          const of = spans().filter((one) => one.traceId === traceId && one.kind === CLIENT)
          const recorded = of.map((span) => Object.fromEntries(span.attributes?.map(({ key: name, value }) => [name, plain(value)]) ?? []))
          const found = recorded.find((one) => 'gen_ai.input.messages' in one)
          expect(found).toBeDefined()
          return found ?? {}
        },
        { timeout: 20_000, interval: 200 },
      )

      expect(messages(attributes, 'gen_ai.input.messages')).toEqual([{ role: 'user', parts: [{ type: 'text', content: PROMPT }] }])
      if (answer !== undefined)
        expect(messages(attributes, 'gen_ai.output.messages')).toEqual([
          { role: 'assistant', parts: [{ type: 'text', content: answer }], finish_reason: 'stop' },
        ])
    })

    it.concurrent('have the size of a picture in place of its bytes, in a body that a worker thread parsed', async () => {
      const picture = Buffer.alloc(300 * 1024, 1).toString('base64')
      const attributes = await ask(open, '/v1/chat/completions', {
        ...chat([
          { type: 'text', text: PROMPT },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
        ]),
      })

      expect(messages(attributes, 'gen_ai.input.messages')).toEqual([
        {
          role: 'user',
          parts: [
            { type: 'text', content: PROMPT },
            { type: 'blob', modality: 'image', mime_type: 'image/png', size: 300 * 1024 },
          ],
        },
      ])
    })

    it('are in no log line and no metric', async () => {
      expect(logs().length).toBeGreaterThan(0)
      const others = bodies.filter(({ path }) => path !== '/v1/traces').map(({ text }) => text)
      for (const text of [...others, ...stack.relays.map((relay) => relay.output()), stack.worker.output()])
        for (const secret of [PROMPT, 'scripted vendor.']) expect(text).not.toContain(secret)
    })
  })

  it('contain no secret', async () => {
    const sent = [...bodies.map(({ text }) => text), await page(ports.controlPlane), await page(ports.worker)].join('\n')

    expect(sent).toContain('tollgate')
    for (const secret of ['sk-vendor-secret-0001', ROOT_USER.password]) expect(sent).not.toContain(secret)
  })
})
