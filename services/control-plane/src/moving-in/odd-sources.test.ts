import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { decodeNewOption } from '@tollgate/contracts/options/registry'
import type { ImportReport } from '@tollgate/contracts/moving-in/report'
import { isPriceOption } from '@tollgate/contracts/resources/prices'
import { openSource } from '@tollgate/moving-in/open-source'
import { DamagedSource } from '@tollgate/moving-in/stores/damaged-source'
import { crowdStatements, gatewayTables, writeGatewayFile, type Tables } from '@tollgate/testing/gateway-database'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../test/test-app.ts'
import { runImport } from './run-import.ts'

describe('an odd database', () => {
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

  it('has prices that no price here can be: they are left out, and those of the other models are kept', async () => {
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

  it('of LiteLLM’s configuration has such prices too', async () => {
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

  const written = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select (select count(*) from users)::int + (select count(*) from imports)::int + (select count(*) from tokens)::int as n`.execute(
      app.deps.db,
    )
    return rows[0]?.n ?? 0
  }

  it('whose pages are in each other’s place is refused before anything is written', async () => {
    const path = join(dir, 'swapped.db')
    const db = new DatabaseSync(path)
    for (const statement of crowdStatements('sqlite', { users: 400, tokens: 800, channels: 5, logs: 10 })) db.exec(statement)
    db.close()
    const bytes = await readFile(path)
    const isFull = (n: number): boolean => bytes[n * PAGE] === LEAF_OF_TABLE && bytes.readUInt16BE(n * PAGE + 3) > 10
    const pages = Array.from({ length: bytes.length / PAGE }, (_, n) => n).filter(isFull)
    const [one = 0, other = 0] = [pages[1], pages[3]]
    const kept = Buffer.from(bytes.subarray(one * PAGE, (one + 1) * PAGE))
    bytes.copy(bytes, one * PAGE, other * PAGE, (other + 1) * PAGE)
    kept.copy(bytes, other * PAGE)
    await writeFile(path, bytes)

    await expect(importFile(path)).rejects.toBeInstanceOf(DamagedSource)
    expect(await written()).toBe(0)
  })

  it.each([
    ['beyond what a number holds', (n: number) => `${2n ** 63n - 1n - BigInt(n)}`],
    ['that are words', (n: number) => `'id ${n}'`],
  ])('with ids %s is refused before anything is written', async (_what, idOf) => {
    const path = join(dir, 'ids.db')
    await rm(path, { force: true })
    writeGatewayFile(path, gatewayTables('new-api-2026'))
    const db = new DatabaseSync(path)
    db.exec('create table kept as select * from tokens limit 1; drop table tokens; alter table kept rename to tokens; begin')
    for (let n = 0; n < 2500; n += 1) db.exec(`insert into tokens (id, user_id, "key") values (${idOf(n)}, 1, 'k${n}')`)
    db.exec('commit')
    db.close()

    await expect(importFile(path)).rejects.toBeInstanceOf(DamagedSource)
    expect(await written()).toBe(0)
  })

  it('without a column that every version has is refused before anything is written', async () => {
    const path = join(dir, 'columns.db')
    writeGatewayFile(path, gatewayTables('new-api-2026'))
    const db = new DatabaseSync(path)
    db.exec('alter table redemptions rename column id to ie')
    db.close()

    await expect(importFile(path)).rejects.toThrow('redemptions has no column id')
    expect(await written()).toBe(0)
  })

  it('whose balances are beyond 64 bits together is carried, and its sums say so', async () => {
    const path = join(dir, 'sums.db')
    writeGatewayFile(path, gatewayTables('new-api-2026'))
    const db = new DatabaseSync(path)
    db.exec('update users set quota = 9223372036854775807')
    const { n } = db.prepare('select count(*) as n from users').get() ?? {}
    db.close()
    const { sums } = await importFile(path)

    expect(sums.find(({ name }) => name === 'users_quota')?.source).toBe(Number(BigInt(Number(n)) * (2n ** 63n - 1n)))
  })
})

const PAGE = 4096
const LEAF_OF_TABLE = 0x0d
