import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

type Value = { readonly arrayValue?: { readonly values?: readonly Value[] }; readonly [kind: string]: unknown }
type Attributes = Readonly<Record<string, unknown>>
type KeyValue = { readonly key: string; readonly value: Value }
type Named = { readonly name: string; readonly attributes?: readonly KeyValue[] }
type Resource = { readonly attributes?: readonly KeyValue[] }
type SpanJson = Named & { readonly traceId: string; readonly spanId: string; readonly parentSpanId?: string; readonly kind: number }
type DataPoint = { readonly sum?: number; readonly count?: string; readonly attributes?: readonly KeyValue[] }
type MetricJson = Named & { readonly unit?: string; readonly histogram?: { readonly dataPoints: readonly DataPoint[] } }
type LogJson = { readonly body?: Value; readonly traceId?: string; readonly spanId?: string; readonly attributes?: readonly KeyValue[] }
type Sent = {
  readonly resourceSpans?: readonly {
    readonly resource: Resource
    readonly scopeSpans: readonly { readonly spans: readonly SpanJson[] }[]
  }[]
  readonly resourceMetrics?: readonly { readonly scopeMetrics: readonly { readonly metrics: readonly MetricJson[] }[] }[]
  readonly resourceLogs?: readonly {
    readonly resource: Resource
    readonly scopeLogs: readonly { readonly logRecords: readonly LogJson[] }[]
  }[]
}

export type Span = Omit<SpanJson, 'attributes'> & { readonly service: string; readonly attributes: Attributes }
export type Metric = { readonly name: string; readonly unit: string; readonly points: readonly (DataPoint & { readonly at: Attributes })[] }
export type LogRecord = { readonly service: string; readonly text: string; readonly traceId: string; readonly spanId: string }

/** Signals that a collector passed on, as JSON of the protocol: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export type Received = {
  readonly url: string
  spans(): Span[]
  metrics(): Metric[]
  logs(): LogRecord[]
  /** Everything, as it came. */
  text(): string
  stop(): void
}

export async function startReceiver(): Promise<Received> {
  const texts: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      texts.push((request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString())
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  const all = (): Sent[] => texts.map((text) => JSON.parse(text) as Sent)
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => all().flatMap(spansOf),
    metrics: () => all().flatMap(metricsOf),
    logs: () => all().flatMap(logsOf),
    text: () => texts.join('\n'),
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const spansOf = ({ resourceSpans = [] }: Sent): Span[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, service: serviceOf(resource), attributes: attributesOf(span.attributes) })),
    ),
  )

const metricsOf = ({ resourceMetrics = [] }: Sent): Metric[] =>
  resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.map(({ name, unit = '', histogram }) => ({
        name,
        unit,
        points: (histogram?.dataPoints ?? []).map((point) => ({ ...point, at: attributesOf(point.attributes) })),
      })),
    ),
  )

const logsOf = ({ resourceLogs = [] }: Sent): LogRecord[] =>
  resourceLogs.flatMap(({ resource, scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) =>
      logRecords.map(({ body = {}, traceId = '', spanId = '' }) => ({
        service: serviceOf(resource),
        text: String(plain(body)),
        traceId,
        spanId,
      })),
    ),
  )

const serviceOf = ({ attributes }: Resource): string => String(attributesOf(attributes)['service.name'])

const attributesOf = (list: readonly KeyValue[] = []): Attributes => Object.fromEntries(list.map(({ key, value }) => [key, plain(value)]))

/** Whole numbers are texts in this protocol. */
function plain({ arrayValue, intValue, ...value }: Value): unknown {
  if (arrayValue !== undefined) return (arrayValue.values ?? []).map((one) => plain(one))
  return intValue === undefined ? Object.values(value)[0] : Number(intValue)
}
