import { z } from 'zod'
import { optionKeys, optionOf, type OptionKey } from './options/registry.ts'
import { isPriceOption, MODEL_PRICE_OPTIONS } from './resources/prices.ts'

const SECRET_RULE = 'a secret is { env: NAME } or { file: path }, never the value itself'

/** A secret by reference: an environment variable, or a file beside the configuration. */
export const SecretRef = z.union(
  [z.strictObject({ env: z.string().min(1).max(200) }), z.strictObject({ file: z.string().min(1).max(500) })],
  {
    error: SECRET_RULE,
  },
)
export type SecretRef = z.infer<typeof SecretRef>

const Name = z.string().trim().min(1).max(200)
const Rank = z.int().min(-1_000_000_000).max(1_000_000_000)
const Ratio = z.number().nonnegative().max(1_000_000)
const JsonObject = z.record(z.string(), z.unknown())

/** A channel. A field that is absent has its default; without a key the stored one is kept. */
export const ConfigChannel = z.strictObject({
  name: Name,
  /** The number of the vendor, as docs/generated/vendors.md lists it. */
  type: z.int().nonnegative(),
  enabled: z.boolean().default(true),
  key: SecretRef.optional(),
  base_url: z.string().max(2000).default(''),
  models: z.array(z.string().min(1).max(255)).max(2000).default([]),
  groups: z.array(z.string().min(1).max(200)).min(1).max(100).default(['default']),
  priority: Rank.default(0),
  weight: Rank.nonnegative().default(0),
  tag: z.string().max(200).default(''),
  auto_ban: z.boolean().default(true),
  test_model: z.string().max(255).default(''),
  openai_organization: z.string().max(200).default(''),
  other: z.string().max(16_000).default(''),
  max_input_tokens: z.int().nonnegative().default(0),
  model_mapping: z.record(z.string(), z.string()).default({}),
  status_code_mapping: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  param_override: JsonObject.default({}),
  setting: JsonObject.default({}),
})
export type ConfigChannel = z.infer<typeof ConfigChannel>

/** A group of users: what it costs, and who may choose it. */
export const ConfigGroup = z.strictObject({
  ratio: Ratio.optional(),
  /** Shown to users, who may then choose the group for their tokens. */
  description: z.string().max(2000).optional(),
  topup_ratio: Ratio.optional(),
  /** Ratios of this group's users in other groups. */
  group_ratios: z.record(z.string(), Ratio).optional(),
  /** Ratios of single models in this group. */
  model_ratios: z.record(z.string(), Ratio).optional(),
})
export type ConfigGroup = z.infer<typeof ConfigGroup>

/** The options that hold an entry per group, by the field of a group in a file. */
export const GROUP_FIELDS = {
  ratio: 'GroupRatio',
  description: 'UserUsableGroups',
  topup_ratio: 'TopupGroupRatio',
  group_ratios: 'GroupGroupRatio',
  model_ratios: 'GroupModelRatio',
} as const satisfies Record<keyof ConfigGroup, OptionKey>

/** Everything that is charged for one model, wildcard or tool, by price option. */
export const ConfigPrice = z.strictObject(
  Object.fromEntries(MODEL_PRICE_OPTIONS.map((key) => [key, z.unknown().optional()])) as Record<
    (typeof MODEL_PRICE_OPTIONS)[number],
    z.ZodOptional<z.ZodUnknown>
  >, // one entry per key of the list
)
export type ConfigPrice = z.infer<typeof ConfigPrice>

const GROUP_OPTIONS: ReadonlySet<string> = new Set(Object.values(GROUP_FIELDS))

/** Options that files set whole; those with an entry per model or group are under `prices` and `groups`. */
export const fileOptionKeys: readonly OptionKey[] = optionKeys.filter((key) => !isPriceOption(key) && !GROUP_OPTIONS.has(key))

function valueSchemaOf(key: OptionKey): z.ZodType {
  const { kind, isSecret, min, max, choices } = optionOf(key)
  if (isSecret) return SecretRef
  if (kind === 'flag') return z.boolean()
  if (kind === 'int' || kind === 'number') {
    const number = kind === 'int' ? z.int() : z.number()
    const above = min === undefined ? number : number.min(min)
    return max === undefined ? above : above.max(max)
  }
  if (kind === 'choice') return z.enum(choices ?? [])
  if (kind === 'csv' || kind === 'lines') return z.array(z.string())
  return kind === 'json' ? z.union([JsonObject, z.array(z.unknown())]) : z.string()
}

/** One file of a configuration; every section is optional. */
export const ConfigFile = z.strictObject({
  options: z.strictObject(Object.fromEntries(fileOptionKeys.map((key) => [key, valueSchemaOf(key).optional()]))).optional(),
  groups: z.record(Name, ConfigGroup).optional(),
  prices: z.record(Name, ConfigPrice).optional(),
  channels: z.array(ConfigChannel).max(10_000).optional(),
})
export type ConfigFile = z.infer<typeof ConfigFile>
