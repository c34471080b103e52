import { z } from 'zod'
import { optionKeys, optionOf, type OptionKey } from './options/registry.ts'
import { BudgetInput } from './pricing/budgets.ts'
import { Limits } from './relay/limits.ts'
import { isPriceOption, MODEL_PRICE_OPTIONS } from './resources/prices.ts'
import { MAX_QUOTA } from './units.ts'

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

/** An organisation, by name. Its members are those that join it. */
export const ConfigOrganisation = z.strictObject({
  /** The user name of the owner. Read when the organisation is made; it may have changed hands since. */
  owner: Name.optional(),
  /** The group of its account. */
  group: z.string().min(1).max(200).default('default'),
})
export type ConfigOrganisation = z.infer<typeof ConfigOrganisation>

export const ConfigProject = z.strictObject({ organisation: Name, name: Name })
export type ConfigProject = z.infer<typeof ConfigProject>

const countOf = (values: readonly unknown[]): number => values.filter((value) => value !== undefined).length
const Models = z.array(z.string().min(1).max(255)).max(256)

/** A token, by owner and name. A field that is absent has its default. */
export const ConfigToken = z
  .strictObject({
    /** The owner: the name of a user or of an organisation. */
    user: Name.optional(),
    organisation: Name.optional(),
    name: z.string().min(1).max(200),
    /** Where the command line writes the key of a new token. The key itself is never in a file of configuration. */
    key: z.strictObject({ file: z.string().min(1).max(500) }).optional(),
    enabled: z.boolean().default(true),
    project: Name.optional(),
    group: z.string().max(200).default(''),
    /** The models that it may use; absent: all. */
    models: Models.optional(),
    /** All quota that it was ever given; absent: no limit of its own. */
    quota: z.int().min(0).max(MAX_QUOTA).optional(),
    /** Absent: never. */
    expires_at: z.iso.datetime().optional(),
    allow_ips: z.array(z.string().min(1).max(100)).max(256).default([]),
    limits: Limits.strict().optional(),
    cross_group_retry: z.boolean().default(false),
    /** Models that answer in place of one that no channel can serve; absent: the site's. */
    fallback_models: Models.optional(),
    telemetry_content: z.boolean().default(false),
    receipt_hashes: z.boolean().default(false),
  })
  .refine(({ user, organisation }) => countOf([user, organisation]) === 1, { error: 'exactly one of user and organisation is needed' })
  .refine(({ project, organisation }) => project === undefined || organisation !== undefined, {
    error: 'a project belongs to an organisation',
  })
export type ConfigToken = z.infer<typeof ConfigToken>

/** A budget, by owner and window: of a user, of each user of a group, of an organisation, or of one of its projects, members or tokens. */
export const ConfigBudget = BudgetInput.extend({
  user: Name.optional(),
  group: Name.optional(),
  organisation: Name.optional(),
  project: Name.optional(),
  /** The user name of a member. */
  member: Name.optional(),
  /** The name of a token of the user or organisation. */
  token: Name.optional(),
})
  .refine(({ user, group, organisation }) => countOf([user, group, organisation]) === 1, {
    error: 'exactly one of user, group and organisation is needed',
  })
  .refine(({ project, member, token }) => countOf([project, member, token]) <= 1, {
    error: 'only one of project, member and token is possible',
  })
  .refine(({ project, member, organisation }) => organisation !== undefined || countOf([project, member]) === 0, {
    error: 'a project or member belongs to an organisation',
  })
  .refine(({ token, group }) => token === undefined || group === undefined, { error: 'a token belongs to a user or an organisation' })
  .refine(({ window, start_day }) => window !== 'week' || start_day <= 7, { error: 'a week begins on a day from 1 to 7' })
export type ConfigBudget = z.infer<typeof ConfigBudget>

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
  organisations: z.record(Name, ConfigOrganisation).optional(),
  projects: z.array(ConfigProject).max(10_000).optional(),
  tokens: z.array(ConfigToken).max(10_000).optional(),
  budgets: z.array(ConfigBudget).max(10_000).optional(),
})
export type ConfigFile = z.infer<typeof ConfigFile>
