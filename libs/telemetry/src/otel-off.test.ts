import { expect, it, vi } from 'vitest'
import { startTelemetry } from './otel.ts'

const loads = vi.hoisted(() => ({ count: 0 }))
vi.mock('./otel-sdk.ts', () => {
  loads.count += 1
  return { startSdk: () => undefined }
})

it('loads the OpenTelemetry SDK only when an exporter is configured', async () => {
  await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: '', METRICS_PORT: 0 } })
  expect(loads.count).toBe(0)

  await startTelemetry({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: '', METRICS_PORT: 9464 } })
  expect(loads.count).toBe(1)
})
