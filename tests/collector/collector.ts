import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type Collector = { readonly url: string; stop(): Promise<void> }

type Options = { readonly folder: string; readonly port: number; /** Where the collector sends what it received. */ readonly to: string }

/** Builds the collector of OpenTelemetry (`main.go`) and starts it: OTLP in, the same as JSON out. */
export async function startCollector({ folder, port, to }: Options): Promise<Collector> {
  const program = join(folder, 'collector')
  execFileSync('go', ['build', '-trimpath', '-o', program, '.'], { cwd: import.meta.dirname, stdio: 'inherit' })
  const config = join(folder, 'collector.yaml')
  writeFileSync(config, configFor(port, to))
  const child = spawn(program, ['--config', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  await answers(url, () => child.exitCode !== null)
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const configFor = (port: number, to: string): string => `
receivers:
  otlp: { protocols: { http: { endpoint: '127.0.0.1:${port}' } } }
exporters:
  otlp_http: { endpoint: '${to}', encoding: json }
service:
  telemetry: { metrics: { level: none }, logs: { level: warn } }
  pipelines:
    traces: { receivers: [otlp], exporters: [otlp_http] }
    metrics: { receivers: [otlp], exporters: [otlp_http] }
    logs: { receivers: [otlp], exporters: [otlp_http] }
`

async function answers(url: string, isOver: () => boolean): Promise<void> {
  for (;;) {
    if (isOver()) throw new Error('the collector ended')
    try {
      await fetch(url)
      return
    } catch {
      await wait(100)
    }
  }
}
