import { createRequire } from 'node:module'
import { registerInstrumentations } from '@opentelemetry/instrumentation'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { BatchSpanProcessor, InMemorySpanExporter, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

/** Negative control: OpenTelemetry's instrumentation of http and undici with 1 % of the requests sampled. */
new NodeTracerProvider({
  sampler: new TraceIdRatioBasedSampler(0.01),
  spanProcessors: [new BatchSpanProcessor(new InMemorySpanExporter())],
}).register()
registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()] })
// The instrumentation patches http on the first require; imports of node:http see the patched exports.
createRequire(import.meta.url)('node:http')
