import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeNewOption } from '@tollgate/contracts/options/registry'
import type { ImportReport } from '@tollgate/contracts/moving-in/report'
import { isPriceOption } from '@tollgate/contracts/resources/prices'
import { openSource } from '@tollgate/moving-in/open-source'
import { gatewayTables, writeGatewayFile, type Tables } from '@tollgate/testing/gateway-database'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../test/test-app.ts'
import { runImport } from './run-import.ts'

describe('prices that no price here can be', () => {
  let dir: string
  let app: TestApp
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'moving-in-'))
  })
  afterAll(() => rm(dir, { recursive: true }))
  beforeEach(async () => {
    app = await createTestApp()
  })
  afterEach(() => app.stop())

  const importFile = async (path: string): Promise<ImportReport> => {
    const source = await openSource(path, { now: 0 })
    try {
      return await runImport(app.deps, source, { name: 'old', isDryRun: false, merge: 'none' })
    } finally {
      await source.close()
    }
  }
  /** Stored price options that would be read as their defaults. */
  const unreadable = async (): Promise<string[]> => {
    const rows = await app.deps.db.selectFrom('options').select(['key', 'value']).execute()
    return rows.filter(({ key, value }) => isPriceOption(key) && decodeNewOption(key, value).kind !== 'ok').map(({ key }) => key)
  }
  const fromOf = ({ prices }: ImportReport, model: string): string | undefined => prices.find((price) => price.model === model)?.from

  it('are left out of a database, and those of the other models are kept', async () => {
    const tables = gatewayTables('new-api-2026')
    const stated = {
      'long-sum': `p${' + p'.repeat(50_000)}`,
      nested: `${'('.repeat(50_000)}p${')'.repeat(50_000)}`,
      negative: 'p * (1 - 5)',
    }
    const expressions = {
      ...stated,
      none: 'p * (1e999 - 1e999)',
      call: 'fixed(1e300)',
      bound: 'len <= 1e300 ? p : p * 2',
      good: 'p * 3 + c * 15',
    }
    const logged = {
      below: { model_ratio: -5, completion_ratio: 1 },
      above: { model_ratio: 1e300, completion_ratio: 1 },
      answer: { model_ratio: 1, completion_ratio: -1 },
      cached: { model_ratio: 1, completion_ratio: 1, cache_ratio: -1 },
      each: { model_price: 1e300 },
      right: { model_ratio: 2, completion_ratio: 3 },
    }
    const models = [...Object.keys(expressions), ...Object.keys(logged)]
    const options = {
      'billing_setting.billing_mode': Object.fromEntries(Object.keys(expressions).map((model) => [model, 'tiered_expr'])),
      'billing_setting.billing_expr': expressions,
    }
    const rows = (table: string): readonly object[] => tables[table]?.rows ?? []
    const logs = Object.entries(logged).map(([model_name, other], n) => ({
      ...tables['logs']?.rows[1],
      id: 100 + n,
      model_name,
      other: JSON.stringify(other),
    }))
    const path = join(dir, 'old.db')
    writeGatewayFile(path, {
      ...tables,
      logs: { ...tables['logs'], rows: [...rows('logs'), ...logs] },
      options: {
        ...tables['options'],
        rows: [...rows('options'), ...Object.entries(options).map(([key, value]) => ({ key, value: JSON.stringify(value) }))],
      },
      channels: { ...tables['channels'], rows: rows('channels').map((row) => ({ ...row, models: models.join(',') })) },
    } as Tables)
    const report = await importFile(path)

    expect(await unreadable()).toEqual([])
    expect(models.filter((model) => fromOf(report, model) === 'source')).toEqual(['good'])
    expect(models.filter((model) => fromOf(report, model) === 'log')).toEqual(['right'])
    const refused = report.refused.filter(({ code }) => code === 'price-expression').map(({ at }) => at.split(' ').at(-1))
    expect(new Set(refused)).toEqual(new Set(Object.keys(expressions).filter((model) => model !== 'good')))
  })

  it('are left out of a configuration of LiteLLM', async () => {
    const costs = {
      infinite: '.inf',
      text: '"1e400"',
      huge: '1e300',
      tiny: '5e-324, output_cost_per_token: 1',
      bound: '0.000001, input_cost_per_token_above_99999999999999999999k_tokens: 0.000002',
      good: '0.000002',
    }
    const path = join(dir, 'config.yaml')
    const entries = Object.entries(costs).map(
      ([model, cost]) =>
        `- { model_name: ${model}, litellm_params: { model: openai/${model}, api_key: sk-of-vendor, input_cost_per_token: ${cost} } }`,
    )
    await writeFile(path, ['model_list:', ...entries, ''].join('\n'))
    const report = await importFile(path)

    expect(await unreadable()).toEqual([])
    expect(Object.keys(costs).filter((model) => fromOf(report, model) === 'source')).toEqual(['bound', 'good'])
  })
})
