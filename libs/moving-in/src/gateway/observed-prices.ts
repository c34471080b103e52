import type { LogRecord, ObservedPrice } from '@tollgate/contracts/moving-in/records'
import { Cells } from '../cells/cells.ts'
import { inTurns } from '../cells/in-turns.ts'
import type { Store } from '../stores/store.ts'
import type { Family } from './family.ts'
import { toLog } from './history.ts'

const PAGE = 5000
/** Rows that are looked at, from the newest on. */
const MAX_ROWS = 50_000
const CONSUMED = 2

/** Prices read from the newest requests: each of new-api states the ratios that it was charged at. */
export type Newest = { readonly prices: readonly ObservedPrice[]; readonly samples: readonly LogRecord[] }

/** The newest price of each model, and up to `limit` requests, as many of each model as there is room for. */
export async function readNewest(
  store: Store,
  tables: ReadonlyMap<string, readonly string[]>,
  { family, limit }: { readonly family: Family; readonly limit: number },
): Promise<Newest> {
  const prices = new Map<string, ObservedPrice>()
  const requests = new Map<string, LogRecord[]>()
  let after: number | undefined
  for (let read = 0; read < MAX_ROWS; read += PAGE) {
    const rows = await store.page({
      table: 'logs',
      columns: tables.get('logs') ?? [],
      key: 'id',
      after,
      limit: PAGE,
      order: 'descending',
      equals: { column: 'type', value: CONSUMED },
    })
    for (const row of rows) {
      const cells = new Cells(row)
      after = cells.int('id')
      const made = toLog(cells, family)
      if (!('record' in made)) continue
      const price = toPrice(made.record)
      if (price !== undefined && !prices.has(price.model)) prices.set(price.model, price)
      const ofModel = requests.get(made.record.model) ?? []
      if (ofModel.length < limit) ofModel.push(made.record)
      requests.set(made.record.model, ofModel)
    }
    if (rows.length < PAGE) break
  }
  return { prices: [...prices.values()], samples: inTurns([...requests.values()], limit) }
}

function toPrice({ model, other, created_at }: LogRecord): ObservedPrice | undefined {
  if (model === '' || other === '') return undefined
  const stated: unknown = JSON.parse(other)
  const fields = typeof stated === 'object' && stated !== null ? new Map(Object.entries(stated)) : new Map<string, unknown>()
  const numberAt = (field: string): number | undefined => {
    const value = fields.get(field)
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }
  const [model_ratio = null, model_price = -1, completion_ratio] = ['model_ratio', 'model_price', 'completion_ratio'].map(numberAt)
  if (completion_ratio === undefined && model_price < 0) return undefined
  const cache_ratio = numberAt('cache_ratio')
  return {
    model,
    model_ratio,
    completion_ratio: completion_ratio ?? 1,
    ...(cache_ratio === undefined ? {} : { cache_ratio }),
    model_price,
    at: created_at,
  }
}
