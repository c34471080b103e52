/**
 * Asks a running Prometheus the query of every panel and alert, and says which have no data. Prometheus must have scraped services under
 * load. `npx node deploy/try/queries.ts --help` lists the options.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readCommandLine } from '../../tests/support/command-line.ts'

const root = resolve(import.meta.dirname, '../..')
const DASHBOARDS = join(root, 'deploy/observability/grafana/dashboards')
const { values } = readCommandLine({
  command: 'npx node deploy/try/queries.ts',
  about: 'Asks a running Prometheus the query of every panel and alert, and says which have no data.',
  example: 'npx node deploy/try/queries.ts --prometheus http://127.0.0.1:9091',
  options: { prometheus: { type: 'string', default: 'http://127.0.0.1:9090', about: 'address of Prometheus' } },
})

type Panel = { readonly title: string; readonly targets: readonly { readonly expr: string }[] }
type Answer = {
  readonly status: string
  readonly error?: string
  readonly data?: { readonly result: readonly { value: [number, string] }[] }
}

let empty = 0
for (const file of readdirSync(DASHBOARDS).filter((name) => name.endsWith('.json'))) {
  // Our own files; their shape is checked by tests/tooling/observability.test.ts.
  const { title, panels } = JSON.parse(readFileSync(join(DASHBOARDS, file), 'utf8')) as { title: string; panels: readonly Panel[] }
  for (const panel of panels) for (const { expr } of panel.targets) await show(`${title} · ${panel.title}`, expr)
}
const rules = readFileSync(join(root, 'helm/tollgate/files/alerts.yaml'), 'utf8')
for (const [, name = '', expr = ''] of rules.matchAll(/alert: (\w+)\n\s+expr: (.+)/g)) {
  const isFiring = (await ask(expr)).length > 0
  // Without its threshold, a query that works has data whether the alert fires or not; absent() has data only when it fires.
  const [, measured = ''] = /^(.+?) (?:>|<|==) [\d* .]+$/.exec(expr.startsWith('absent(') ? (/\((.+)\)/.exec(expr)?.[1] ?? '') : expr) ?? []
  await show(`alert ${name} (${isFiring ? 'FIRING' : 'quiet'})`, measured)
}
console.log(`${empty} without data`)

async function show(title: string, query: string): Promise<void> {
  const found = await ask(query)
  const shown = found.map(({ value: [, text] }) => text).filter((text) => text !== 'NaN')
  if (shown.length === 0) empty += 1
  console.log(
    `${shown.length === 0 ? 'NO DATA' : `${shown.length} series, first ${Number(shown[0]).toPrecision(3)}`} | ${title} | ${query}`,
  )
}

async function ask(query: string): Promise<readonly { value: [number, string] }[]> {
  const response = await fetch(`${values.prometheus}/api/v1/query?${new URLSearchParams({ query })}`)
  // https://prometheus.io/docs/prometheus/latest/querying/api/
  const { status, error = '', data } = (await response.json()) as Answer
  if (status !== 'success') throw new Error(`${query}: ${error}`)
  return data?.result ?? []
}
