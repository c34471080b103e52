import { z } from 'zod'
import { ErrorParams } from '../errors/params.ts'
import { DEFAULT_QUOTA_PER_UNIT } from '../units.ts'
import { IMPORT_KINDS } from './records.ts'

/** A row, field, table or setting that is not carried as it is. */
export const ImportItem = z.object({
  kind: z.string(),
  /** Where it is in the source: `users 17`, `channels.unknown_column`. */
  at: z.string(),
  code: z.string(),
  detail: z.string(),
  /** The name of the account, channel or token; absent: it has none. */
  name: z.string().optional(),
  /** The amount that the row is about. */
  quota: z.int().optional(),
  /** Values of the text of the rule whose code `detail` is. */
  params: ErrorParams.optional(),
})
export type ImportItem = z.infer<typeof ImportItem>

export const ImportCounts = z.object({
  /** Rows of the source that were read. */
  read: z.int(),
  created: z.int(),
  updated: z.int(),
  /** Carried by an earlier run, and not changed since. */
  same: z.int(),
  /** Rows that were left out on purpose: deleted ones, and logs older than asked for. */
  skipped: z.int(),
  /** Rows that cannot be carried. */
  refused: z.int(),
})
export type ImportCounts = z.infer<typeof ImportCounts>

/** A sum on both sides. */
export const ImportSum = z.object({ name: z.string(), source: z.int(), target: z.int() })
export type ImportSum = z.infer<typeof ImportSum>

/** A request of the source's log, priced by the source's formula and by this gateway. */
export const PricedSample = z.object({
  log: z.string(),
  model: z.string(),
  group: z.string(),
  prompt_tokens: z.int(),
  cached_tokens: z.int(),
  completion_tokens: z.int(),
  /** The charge by the log, by the source's formula and by this gateway; null: no formula is known, or the request would be refused. */
  charged: z.int(),
  formula: z.int().nullable(),
  here: z.int().nullable(),
})
export type PricedSample = z.infer<typeof PricedSample>

/** True if a request costs the same here. one-api rounds up, LiteLLM keeps fractions, and this gateway rounds to the nearest unit, at least one. */
export function isSamePrice({ here, charged }: PricedSample, family: string): boolean {
  return (
    here !== null &&
    (here === charged || (family === 'one-api' && charged - here === 1) || (family === 'litellm' && Math.abs(charged - here) === 1))
  )
}

type SampleGroup = Omit<PricedSample, 'log' | 'model'> & { readonly models: readonly string[] }

/** Requests that are alike in all but their model and their row of the log, each once with its models. */
export function groupSamples(samples: readonly PricedSample[]): SampleGroup[] {
  const groups = Map.groupBy(samples, ({ group, prompt_tokens, cached_tokens, completion_tokens, charged, formula, here }) =>
    JSON.stringify([group, prompt_tokens, cached_tokens, completion_tokens, charged, formula, here]),
  )
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const { log: _log, model, ...rest } = first
    return [{ ...rest, models: [...new Set([model, ...others.map((other) => other.model)])] }]
  })
}

export const PriceRow = z.object({
  model: z.string(),
  /** `source`: set by its operator. `log`: taken from its newest log rows. `default`: this gateway's own. `none`: not for sale here. */
  from: z.enum(['source', 'log', 'default', 'none']),
  model_ratio: z.number().nullable(),
  completion_ratio: z.number().nullable(),
  model_price: z.number().nullable(),
})
export type PriceRow = z.infer<typeof PriceRow>

export const ImportReport = z.object({
  format: z.literal('tollgate-import'),
  version: z.literal(1),
  name: z.string(),
  family: z.enum(['new-api', 'one-api', 'litellm']),
  generation: z.string(),
  store: z.enum(['sqlite', 'postgres', 'mysql', 'yaml']),
  is_dry_run: z.boolean(),
  started_at: z.int(),
  finished_at: z.int(),
  counts: z.record(z.enum(IMPORT_KINDS), ImportCounts),
  /** Quota of a US dollar in the source. */
  quota_per_unit: z.number().positive().default(DEFAULT_QUOTA_PER_UNIT),
  sums: z.array(ImportSum),
  samples: z.array(PricedSample),
  prices: z.array(PriceRow),
  /** Not carried, at most `MAX_LISTED` of each code; `more` counts the others by code. */
  refused: z.array(ImportItem),
  /** Carried in another form. */
  changed: z.array(ImportItem),
  /** For an operator to decide. */
  decisions: z.array(ImportItem),
  more: z.record(z.string(), z.int()),
  /** Everything was carried, and the sums are equal. */
  is_complete: z.boolean(),
})
export type ImportReport = z.infer<typeof ImportReport>

/** Rows listed of each code; the others are counted. */
export const MAX_LISTED = 1000
