import { readFile } from 'node:fs/promises'
import type { ImportItem } from '@tollgate/contracts/moving-in/report'
import type { ChannelRecord, ImportKind, OptionRecord, RecordOf } from '@tollgate/contracts/moving-in/records'
import { readYaml } from '@tollgate/config/yaml'
import { DEFAULT_QUOTA_PER_UNIT } from '@tollgate/contracts/units'
import { z } from 'zod'
import type { Batch, Source } from '../source.ts'
import { costsIn, statedPricesOf, type Costs } from './costs.ts'
import { Credential, deploymentOf, Entry, groupsOf, ordersOf, variableIn, weightsOf, type Deployment } from './deployments.ts'
import { includesOf, UnreadableInclude, withIncludes } from './includes.ts'
import { idOf } from './values.ts'

const Alias = z.union([z.string(), z.looseObject({ model: z.string() })])
/** A section whose lines are all comments is null. */
const Config = z.looseObject({
  include: z.array(z.string()).nullish(),
  model_list: z.array(z.unknown()).nullish(),
  router_settings: z
    .looseObject({
      model_group_alias: z.record(z.string(), Alias).optional(),
      num_retries: z.number().optional(),
      fallbacks: z.unknown().optional(),
    })
    .nullish(),
  general_settings: z.looseObject({}).nullish(),
  environment_variables: z.looseObject({}).nullish(),
  credential_list: z.array(z.unknown()).nullish(),
  litellm_settings: z.looseObject({ fallbacks: z.unknown().optional() }).nullish(),
})

/** The file is no configuration of LiteLLM. Its message quotes no value of the file, which holds keys. */
export class UnreadableConfig extends Error {
  override readonly name = 'UnreadableConfig'

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`${path} is no configuration of LiteLLM that can be read: ${reason}`, options)
  }
}

/**
 * The configuration of a LiteLLM proxy: a channel per address and key, and the prices that it states. `env` answers `os.environ/NAME`; without
 * it the file is from elsewhere, and names no files of this machine.
 */
export async function openConfigFile(path: string, env?: Env): Promise<Source> {
  const unknown: ImportItem[] = []
  const config = await readConfig(path, { follows: env !== undefined, unknown })
  const read = readEntries(config, env ?? {}, unknown)
  const entries = read.map(({ entry }) => entry)
  unknown.push(...leftSettings(config))
  const aliases = aliasesIn(config)
  const records: Partial<Record<ImportKind, readonly (ChannelRecord | OptionRecord)[]>> = {
    channels: channelsOf(read, aliases),
    options: [...optionsOf(config), ...fallbacksOf(config)],
  }
  return {
    family: 'litellm',
    generation: 'configuration',
    store: 'yaml',
    unknown,
    quotaPerUnit: DEFAULT_QUOTA_PER_UNIT,
    fingerprint: async () => [...new Set(entries.map(({ model_name }) => model_name))].slice(0, 20),
    maxId: async () => 0,
    count: async (kind) => records[kind]?.length ?? 0,
    read: async <K extends ImportKind>(kind: K): Promise<Batch<K>> => {
      // The records of a kind are of its type.
      const found = (records[kind] ?? []) as unknown as readonly RecordOf[K][]
      return { records: found, refused: [], skipped: 0, read: found.length, next: undefined, reached: undefined }
    },
    statedPrices: async () => statedPricesOf(costsOf(entries, aliases)),
    observedPrices: async () => [],
    samples: async () => [],
    sums: async () => ({ users_quota: 0n, users_used: 0n, channels_used: 0n }),
    close: async () => undefined,
  }
}

type Reading = { readonly follows: boolean; readonly unknown: ImportItem[] }

async function readConfig(path: string, { follows, unknown }: Reading): Promise<z.infer<typeof Config>> {
  const own = sectionsOf(path, await readFile(path, 'utf8'))
  if (!follows) for (const name of includesOf(own)) unknown.push({ kind: 'channels', at: 'include', code: 'left-include', detail: name })
  const config = Config.safeParse(follows ? await merged(path, own) : own)
  if (config.success) return config.data
  const reasons = config.error.issues.map((issue) => [issue.path.join('.'), issue.message.replace(/^Invalid input: /, '')])
  throw new UnreadableConfig(path, reasons.map((parts) => parts.filter((part) => part !== '').join(': ')).join('; '))
}

async function merged(path: string, own: unknown): Promise<unknown> {
  try {
    return await withIncludes(path, own, sectionsOf)
  } catch (cause) {
    if (!(cause instanceof UnreadableInclude)) throw cause
    throw new UnreadableConfig(path, cause.message, { cause })
  }
}

function sectionsOf(path: string, text: string): unknown {
  const { document, faults } = readYaml(text)
  const [fault] = faults
  if (fault !== undefined) throw new UnreadableConfig(path, `${fault.message} at line ${fault.line}`)
  return valueOf(path, document)
}

function valueOf(path: string, document: ReturnType<typeof readYaml>['document']): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    throw new UnreadableConfig(path, 'an alias has no anchor, or there are too many', { cause })
  }
}

type Env = Readonly<Record<string, string | undefined>>
type Read = { readonly entry: Entry; readonly deployment: Deployment }

/** The entries that become channels; others are added to `unknown`. Variables of the file win, since the proxy sets them at its start. */
function readEntries(
  { model_list, credential_list, environment_variables }: z.infer<typeof Config>,
  env: Env,
  unknown: ImportItem[],
): Read[] {
  const credentials = (credential_list ?? []).flatMap((value) => Credential.safeParse(value).data ?? [])
  const resolve = (text: string | null | undefined): string => {
    const name = variableIn(text)
    if (name === undefined) return text ?? ''
    const set = environment_variables?.[name]
    return typeof set === 'string' || typeof set === 'number' ? String(set) : (env[name] ?? '')
  }
  return (model_list ?? []).flatMap((value, index): Read[] => {
    const leave = (detail: string): Read[] => {
      unknown.push({ kind: 'channels', at: `model_list ${index}`, code: 'left-no-counterpart', detail })
      return []
    }
    const { data: entry } = Entry.safeParse(value)
    if (entry === undefined) return leave('not readable')
    const deployment = deploymentOf(entry, credentials, resolve)
    return typeof deployment === 'string' ? leave(`${entry.model_name} ${deployment}`) : [{ entry, deployment }]
  })
}

/** Further names of each model. */
type Aliases = ReadonlyMap<string, readonly string[]>

function aliasesIn({ router_settings }: z.infer<typeof Config>): Aliases {
  const aliases = Object.entries(router_settings?.model_group_alias ?? {})
  const byModel = Map.groupBy(aliases, ([, alias]) => (typeof alias === 'string' ? alias : alias.model))
  return new Map([...byModel].map(([model, group]) => [model, group.map(([name]) => name)]))
}

const namesOf = ({ model_name }: Pick<Entry, 'model_name'>, aliases: Aliases): string[] => [model_name, ...(aliases.get(model_name) ?? [])]

/** Entries with the same vendor, address, key, headers, weight and order are one channel; a second one of the same name is another. */
function channelsOf(read: readonly Read[], aliases: Aliases): ChannelRecord[] {
  const entries = read.map(({ entry }) => entry)
  const [weights, orders] = [weightsOf(entries), ordersOf(entries)]
  const places = new Map(groupsOf(entries).flatMap((group) => group.map((entry, at) => [entry, at] as const)))
  const keyOf = ({ entry, deployment }: Read): string =>
    JSON.stringify([deployment.account, weights.get(entry), orders.get(entry), places.get(entry)])
  return [...Map.groupBy(read, keyOf)].flatMap(([key, group]): ChannelRecord[] => {
    const [first] = group
    if (first === undefined) return []
    const { entry, deployment } = first
    const { vendor, type, secret, headers } = deployment
    const pairs = group.flatMap((one) => namesOf(one.entry, aliases).map((name) => [name, one.deployment.model] as const))
    const mapped = pairs.filter(([name, model]) => name !== model)
    return [
      {
        origin: { table: 'model_list', id: entry.model_name },
        notes: notesOf(group),
        id: idOf('model', key),
        type,
        name: `${vendor} ${entry.model_name}`.trim(),
        keys: secret === '' ? [] : [secret],
        has_several_keys: false,
        key_mode: 'random',
        disabled_keys: [],
        status: 1,
        openai_organization: deployment.organization,
        test_model: entry.model_name,
        base_url: deployment.address,
        other: deployment.other,
        models: [...new Set(pairs.map(([name]) => name))],
        groups: ['default'],
        model_mapping: mapped.length === 0 ? '' : JSON.stringify(Object.fromEntries(mapped)),
        status_code_mapping: '',
        param_override: '',
        setting: Object.keys(headers).length === 0 ? {} : { header_override: headers },
        // The lowest order is tried first.
        priority: 0 - (orders.get(entry) ?? 0),
        weight: weights.get(entry) ?? 1,
        auto_ban: true,
        tag: 'litellm',
        used_quota: 0,
        created_time: 0,
      },
    ]
  })
}

/** The variable of the key, and fields of entries that are not carried, each list of them once. */
function notesOf(group: readonly Read[]): ChannelRecord['notes'] {
  const variable = group[0]?.deployment.variable
  const key = variable === undefined ? [] : [{ code: variable.isSet ? 'key-of-variable' : 'variable-not-set', detail: variable.name }]
  const byFields = Map.groupBy(group, ({ deployment }) => deployment.left.join(', '))
  const left = [...byFields].flatMap(([fields, entries]) => {
    const names = entries.slice(0, 5).map(({ entry }) => entry.model_name)
    const more = entries.length > names.length ? ' …' : ''
    return fields === '' ? [] : [{ code: 'left-no-counterpart', detail: `${names.join(', ')}${more}: ${fields}` }]
  })
  return [...key, ...left]
}

/** The costs of each name. Those of `litellm_params` win over those of `model_info`, and an entry over those before it. */
function costsOf(entries: readonly Entry[], aliases: Aliases): ReadonlyMap<string, Costs> {
  const models = new Map<string, Costs>()
  for (const { model_name, litellm_params, model_info } of entries) {
    const costs = new Map([...costsIn(model_info ?? {}), ...costsIn(litellm_params)])
    if (costs.size === 0) continue
    for (const name of namesOf({ model_name }, aliases)) models.set(name, costs)
  }
  return models
}

function optionsOf({ router_settings }: z.infer<typeof Config>): OptionRecord[] {
  const { num_retries } = router_settings ?? {}
  if (num_retries === undefined) return []
  return [{ origin: { table: 'config', id: 'RetryTimes' }, notes: [], key: 'RetryTimes', value: String(num_retries) }]
}

const Fallbacks = z.array(z.record(z.string(), z.array(z.string())))

/** Chains of models for all groups; one that has another form is listed as left out. */
function fallbacksOf(config: z.infer<typeof Config>): OptionRecord[] {
  const chains = chainsIn(config).flatMap(([, entries]) => entries.flatMap((entry) => Object.entries(entry)))
  if (chains.length === 0) return []
  const key = 'ModelFallbacks'
  return [{ origin: { table: 'config', id: key }, notes: [], key, value: JSON.stringify({ '*': Object.fromEntries(chains) }) }]
}

function chainsIn({ router_settings, litellm_settings }: z.infer<typeof Config>) {
  return Object.entries({ litellm_settings, router_settings }).flatMap(([section, settings]) => {
    const found = Fallbacks.safeParse(settings?.fallbacks)
    return found.success ? [[`${section}.fallbacks`, found.data] as const] : []
  })
}

/** Sections whose entries are read one by one, or only where another names them. */
const CARRIED_SECTIONS = new Set(['model_list', 'credential_list', 'environment_variables', 'include'])

/** Settings of which nothing is carried. */
function leftSettings(config: z.infer<typeof Config>): ImportItem[] {
  const carried = new Set(['router_settings.model_group_alias', 'router_settings.num_retries', ...chainsIn(config).map(([at]) => at)])
  return Object.entries(config).flatMap(([section, value]) => {
    if (CARRIED_SECTIONS.has(section) || value === null || typeof value !== 'object') return []
    return Object.keys(value)
      .map((name) => `${section}.${name}`)
      .filter((at) => !carried.has(at))
      .map((at) => ({ kind: 'options', at, code: 'left-no-counterpart', detail: '' }))
  })
}
