import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { UnixSeconds } from '../units.ts'
import { PRICE_CLASSES } from './pricing.ts'
import { PriceTexts } from './prices.ts'
import { QueryFlag } from '../values/common-schemas.ts'

export const CONFIG_KINDS = ['option', 'group', 'price', 'channel', 'organisation', 'project', 'token', 'budget'] as const
export type ConfigKind = (typeof CONFIG_KINDS)[number]

export const MAX_CONFIG_FILES = 500
/** Characters of all files together. */
export const MAX_CONFIG_CHARACTERS = 4_000_000

/** Tokens of people that one export has at most, as many as a file. */
export const MAX_USER_TOKENS = 10_000

const MB = 1024 * 1024
const RecordName = z.object({ kind: z.enum(CONFIG_KINDS), name: z.string() })

/**
 * `owned`: records that files created or set, and no longer name. `all`: every option, group, price and channel of a kind that the files
 * name; organisations, projects, tokens and budgets only if they are owned.
 */
export const PRUNES = ['none', 'owned', 'all'] as const
export type Prune = (typeof PRUNES)[number]

export const ConfigSource = z.object({
  files: z
    .array(
      z.object({
        path: z.string().max(500),
        /** The content of the file as JSON text. */
        content: z.string().max(MAX_CONFIG_CHARACTERS),
      }),
    )
    .max(MAX_CONFIG_FILES),
  /** The values of secrets, by `env:NAME` or `file:path`. */
  secrets: z.record(z.string().max(600), z.string().max(100_000)).meta({ maxProperties: 10_000 }),
  prune: z.enum(PRUNES).default('none'),
  /** Names the directory: files of another owner do not remove its records. */
  owner: z.string().min(1).max(100).default('default'),
  /** Secrets count as unchanged, whatever the files refer to; such a plan cannot be applied. */
  without_secrets: z.boolean().default(false),
})
export type ConfigSource = z.infer<typeof ConfigSource>

/** One changed field. The values of a secret are absent. */
export const ConfigField = z.object({
  field: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  is_secret: z.boolean(),
  /** The installation changed it since the files were applied. */
  is_drift: z.boolean(),
})
export type ConfigField = z.infer<typeof ConfigField>

/** A line of a model's price in US dollars, of a million tokens or of a call. Absent: there is no such line. */
export const PriceLine = z.object({
  line: z.enum(['call', ...PRICE_CLASSES]),
  before: z.number().optional(),
  after: z.number().optional(),
})
export type PriceLine = z.infer<typeof PriceLine>

export const ConfigChange = RecordName.extend({
  action: z.enum(['create', 'update', 'remove']),
  fields: z.array(ConfigField),
  /** Differs when the record, or what the files want of it, differs. */
  version: z.string(),
  /** The file for the key of a token that is made, relative to the directory. */
  key_file: z.string().optional(),
  /** The lines of a price that change, without the ratio of a group. */
  dollars: z.array(PriceLine).optional(),
})
export type ConfigChange = z.infer<typeof ConfigChange>

/** Why the files cannot be applied. `path`: the place in the file, by keys and positions. */
export const ConfigProblem = z.object({
  file: z.string(),
  path: z.array(z.union([z.string(), z.int()])),
  message: z.string(),
})
export type ConfigProblem = z.infer<typeof ConfigProblem>

export const ConfigPlan = z.object({
  /** Nothing is planned while there are problems. */
  problems: z.array(ConfigProblem),
  changes: z.array(ConfigChange),
  /** Records that the files managed and no longer name; `prune` removes them. */
  left: z.array(RecordName),
  /** Records that the files name. */
  named: z.int(),
  /** The price options as they would be, for a price replay; absent: no price changes. */
  prices: PriceTexts.optional(),
  /** Keys of the tokens that were made, which are shown only here. */
  keys: z.array(z.object({ name: z.string(), key: z.string() })).optional(),
})
export type ConfigPlan = z.infer<typeof ConfigPlan>

export const ManagedRecord = RecordName.extend({ owner: z.string(), applied_at: UnixSeconds, applied_by: z.string() })
export type ManagedRecord = z.infer<typeof ManagedRecord>

export const config = {
  plan: endpoint({
    method: 'POST',
    path: '/api/config/plan',
    access: 'root',
    summary: 'What applying files of configuration would change; nothing is stored (ours)',
    load: 'heavy',
    bodyLimit: 12 * MB,
    body: ConfigSource,
    data: ConfigPlan,
  }),
  apply: endpoint({
    method: 'POST',
    path: '/api/config/apply',
    access: 'root',
    summary: 'Applies files of configuration in one transaction, if a plan still holds (ours)',
    load: 'heavy',
    bodyLimit: 12 * MB,
    body: ConfigSource.omit({ without_secrets: true }).extend({
      /** The versions of the planned changes, by `kind/name`. */
      seen: z.record(z.string().max(300), z.string().max(100)).meta({ maxProperties: 100_000 }),
    }),
    data: ConfigPlan,
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/config/export',
    access: 'root',
    summary: 'The configuration as the content of files, without secrets; with user_tokens also the tokens of people (ours)',
    query: z.object({ user_tokens: QueryFlag }),
    data: z.object({
      options: z.record(z.string(), z.unknown()),
      groups: z.record(z.string(), z.unknown()),
      prices: z.record(z.string(), z.unknown()),
      channels: z.array(z.record(z.string(), z.unknown())),
      organisations: z.record(z.string(), z.unknown()),
      projects: z.array(z.record(z.string(), z.unknown())),
      /** Tokens of organisations; those of people only on request. Keys are in none. */
      tokens: z.array(z.record(z.string(), z.unknown())),
      budgets: z.array(z.record(z.string(), z.unknown())),
    }),
  }),
  managed: endpoint({
    method: 'GET',
    path: '/api/config/managed',
    access: 'admin',
    summary: 'Records that files of configuration manage (ours)',
    data: z.array(ManagedRecord),
  }),
}
