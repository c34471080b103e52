import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Series that Prometheus shows for the metrics which the sources create. */
function exportedSeries(): Set<string> {
  const series = new Set<string>(['up'])
  for (const file of sources()) {
    const created = read(file).matchAll(/\b(counter|histogram|gauge)\(\s*'((?:relay|tollgate)_[a-z_]+)'/g)
    for (const [, kind = '', name = ''] of created) {
      if (kind === 'gauge') series.add(name)
      if (kind === 'counter') series.add(name.endsWith('_total') ? name : `${name}_total`)
      if (kind === 'histogram') for (const part of ['bucket', 'count', 'sum']) series.add(`${name}_${part}`)
    }
  }
  return series
}

function sources(): string[] {
  return ['services', 'libs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\/src\/.*\.ts$/.test(path) && !path.includes('node_modules') && !path.endsWith('.test.ts'))
      .map((path) => join(folder, path)),
  )
}

function seriesIn(query: string): string[] {
  return query.match(/\b(?:relay|tollgate)_[a-z_]+/g) ?? []
}

const DASHBOARDS = 'deploy/observability/grafana/dashboards'
const RULES = 'helm/tollgate/files/alerts.yaml'

type Dashboard = { readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[] }

describe('dashboards and alert rules', () => {
  const exported = exportedSeries()
  const panels = readdirSync(join(root, DASHBOARDS))
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const { panels: inFile } = JSON.parse(read(join(DASHBOARDS, file))) as Dashboard
      return inFile.map(({ title, targets }) => ({ title: `${file}: ${title}`, queries: targets.map(({ expr }) => expr) }))
    })
  const rules = [...read(RULES).matchAll(/alert: (\w+)\n\s+expr: (.+)/g)].map(([, name = '', query = '']) => ({ name, query }))

  it.each(panels)('shows in panel $title only series that the services export', ({ queries }) => {
    const wanted = queries.flatMap(seriesIn)

    expect(wanted.length).toBeGreaterThan(0)
    expect(wanted.filter((name) => !exported.has(name))).toEqual([])
  })

  it.each(rules)('alerts by $name on series that the services export', ({ query }) => {
    expect(seriesIn(query).filter((name) => !exported.has(name))).toEqual([])
  })

  it('does not group by `job`, which is the name of the scraped service in every series', () => {
    const queries = [...panels.flatMap(({ queries: all }) => all), ...rules.map(({ query }) => query)]

    expect(queries.filter((query) => /by \([^)]*\bjob\b/.test(query))).toEqual([])
  })

  it('has a runbook for every alert', () => {
    const runbooks = [...read(RULES).matchAll(/runbook: (docs\/runbooks\/[\w-]+\.md)/g)].map(([, path = '']) => path)

    expect(runbooks).toHaveLength(rules.length)
    for (const path of new Set(runbooks)) expect(read(path)).toMatch(/^# .+\n[\s\S]+\n## What to do\n/)
  })
})
