// Starts a collector of OpenTelemetry and an installation that sends to it, makes chat requests and checks what the collector passed on:
// `npm run check:collector`. Needs Go 1.26. Writes docs/generated/collector.md.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from '@tollgate/servers/free-port'
import { startVendorServer } from '@tollgate/testing/vendor-server'
import { startInstallation } from '../screenshots/installation.ts'
import { createChannel, createToken, must, signIn, type Api } from '../support/api.ts'
import { startCollector } from './collector.ts'
import { CONVENTIONS, findingsOf, PROMPT, type Asked } from './expected.ts'
import { startReceiver, type Received } from './otlp.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Metrics are pushed every 15 s. */
const PATIENCE_MS = 60_000
const CALLER_SPAN = '00f067aa0ba902b7'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-collector-'))
const received = await startReceiver()
const vendor = await startVendorServer()
const port = await findFreePort()
try {
  const collector = await startCollector({ folder, port, to: received.url })
  const installation = await startInstallation({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SEMCONV_STABILITY_OPT_IN: CONVENTIONS.optIn,
    OTEL_LOGS_EXPORTER: 'otlp',
    UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8',
  })
  try {
    const { username, password } = installation.demo
    const asked = await ask(await signIn(installation.origin, username, password), installation.origin)
    const findings = await untilComplete(received, asked)
    for (const { name, isMet } of findings) process.stdout.write(`${isMet ? 'ok    ' : 'FAILED'} ${name}\n`)
    if (findings.every(({ isMet }) => isMet)) writeFileSync(join(ROOT, 'docs/generated/collector.md'), render(received, asked))
    else process.exitCode = 1
  } finally {
    await installation.stop()
    await collector.stop()
  }
} finally {
  received.stop()
  await vendor.stop()
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Requests whole and streamed, with tools, after a failed attempt, one that the relay logs, and a call of the console. Channels come before
 * those of the demo.
 */
async function ask(api: Api, origin: string): Promise<Asked> {
  await createChannel(api, { name: 'tools', base_url: `${vendor.url}/tools`, models: 'gpt-4o', priority: 50 })
  await createChannel(api, { name: 'answers', base_url: `${vendor.url}/ok`, models: 'gpt-4.1', priority: 50 })
  await createChannel(api, { name: 'broken', base_url: `${vendor.url}/status~500`, models: 'gpt-4.1', priority: 60 })
  await createChannel(api, { name: 'inline media', type: 24, base_url: `${vendor.url}/ok`, models: 'gemini-2.5-flash', priority: 50 })
  must(await api.put('/api/option/', { key: 'RetryTimes', value: '2' }))
  const { key } = await createToken(api, { name: 'collector', unlimited_quota: true })
  const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }]
  const chat = async (body: object): Promise<string> => {
    const traceId = randomBytes(16).toString('hex')
    const headers = {
      authorization: `Bearer sk-${key}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-${CALLER_SPAN}-01`,
    }
    const answer = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
    await answer.text()
    return traceId
  }
  const messages = [{ role: 'user', content: PROMPT }]
  const image = { type: 'image_url', image_url: { url: 'http://127.0.0.1:9/picture.png' } }
  return {
    whole: await chat({ model: 'gpt-4o', messages, tools }),
    streamed: await chat({ model: 'gpt-4o', messages, tools, stream: true }),
    retried: await chat({ model: 'gpt-4.1', messages, stream: true }),
    logged: await chat({ model: 'gemini-2.5-flash', messages: [{ role: 'user', content: [{ type: 'text', text: PROMPT }, image] }] }),
    callerSpan: CALLER_SPAN,
    console: await testChannel(api),
    key,
  }
}

/** Its trace is begun by the control plane. */
async function testChannel(api: Api): Promise<'GET /api/channel/test/{id}'> {
  const rows = must(await api.get<{ id: number; name: string }[]>('/api/channel/?p=0&page_size=100'))
  const id = rows.find(({ name }) => name === 'answers')?.id ?? 0
  must(await api.get(`/api/channel/test/${id}`))
  return 'GET /api/channel/test/{id}'
}

async function untilComplete(from: Received, asked: Asked): Promise<ReturnType<typeof findingsOf>> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const findings = findingsOf(from, asked)
    if (findings.every(({ isMet }) => isMet) || Date.now() > deadline) return findings
    await wait(1000)
  }
}

function render(from: Received, asked: Asked): string {
  const version = (name: string): string =>
    String((JSON.parse(readFileSync(join(ROOT, `node_modules/${name}/package.json`), 'utf8')) as { version: string }).version)
  const collector = execFileSync('go', ['list', '-m', '-f', '{{.Version}}', 'go.opentelemetry.io/collector/otelcol'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  }).trim()
  const traces = [asked.whole, asked.streamed, asked.retried]
  const attributes = new Set(from.spans().flatMap((span) => (traces.includes(span.traceId) ? Object.keys(span.attributes) : [])))
  const metrics = new Set(from.metrics().map(({ name }) => name))
  const named = (names: Iterable<string>): string =>
    [...names]
      .toSorted()
      .map((name) => `\`${name}\``)
      .join(', ')
  return `# A collector of OpenTelemetry

Written by \`npm run check:collector\`; do not edit. An installation (\`npm start -- --demo\`) sends traces, metrics and logs to a collector, which passes them on as JSON.

- Collector ${collector}; \`@opentelemetry/sdk-node\` ${version('@opentelemetry/sdk-node')}, \`@opentelemetry/api\` ${version('@opentelemetry/api')}; Node ${process.versions.node}
- Conventions: ${CONVENTIONS.schema}

All of these hold:

${findingsOf(from, asked)
  .map(({ name }) => `- ${name}`)
  .join('\n')}

Attributes of the requests’ spans: ${named(attributes)}.

Histograms and gauges: ${named(metrics)}.
`
}
