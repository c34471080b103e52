import { readFile } from 'node:fs/promises'
import type { ImportItem } from '@tollgate/contracts/moving-in/report'
import type { ChannelRecord, ImportKind, OptionRecord, RecordOf } from '@tollgate/contracts/moving-in/records'
import { readYaml } from '@tollgate/config/yaml'
import { DEFAULT_QUOTA_PER_UNIT } from '@tollgate/contracts/units'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { z } from 'zod'
import type { Batch, Source } from '../source.ts'
import { costsIn, statedPricesOf, type Costs } from './costs.ts'
import { idOf } from './values.ts'

const Params = z.looseObject({
  model: z.string(),
  api_base: z.string().optional(),
  api_key: z.string().optional(),
  api_version: z.string().optional(),
  weight: z.number().optional(),
  order: z.number().optional(),
})
const Entry = z.looseObject({ model_name: z.string(), litellm_params: Params, model_info: z.looseObject({}).optional() })
type Entry = z.infer<typeof Entry>
const Alias = z.union([z.string(), z.looseObject({ model: z.string() })])
/** A section whose lines are all comments is null. */
const Config = z.looseObject({
  model_list: z.array(z.unknown()).nullish(),
  router_settings: z
    .looseObject({
      model_group_alias: z.record(z.string(), Alias).optional(),
      num_retries: z.number().optional(),
      fallbacks: z.unknown().optional(),
    })
    .nullish(),
  general_settings: z.looseObject({}).nullish(),
  litellm_settings: z.looseObject({ fallbacks: z.unknown().optional() }).nullish(),
})

type Vendor = { readonly type: number; readonly base_url?: string }
const compatible = (base_url: string): Vendor => ({ type: 1, base_url })
const VENDORS: Readonly<Record<string, Vendor>> = {
  openai: { type: 1 },
  custom_openai: { type: 1 },
  openai_like: { type: 1 },
  hosted_vllm: { type: 1 },
  azure: { type: 3 },
  ollama: { type: 4 },
  ollama_chat: { type: 4 },
  anthropic: { type: 14 },
  dashscope: { type: 17 },
  openrouter: { type: 20 },
  gemini: { type: 24 },
  moonshot: { type: 25 },
  perplexity: { type: 27 },
  bedrock: { type: 33 },
  cohere: { type: 34 },
  cohere_chat: { type: 34 },
  minimax: { type: 35 },
  jina_ai: { type: 38 },
  vertex_ai: { type: 41 },
  mistral: { type: 42 },
  deepseek: { type: 43 },
  volcengine: { type: 45 },
  xai: { type: 48 },
  replicate: { type: 56 },
  groq: compatible('https://api.groq.com/openai'),
  together_ai: compatible('https://api.together.xyz'),
  fireworks_ai: compatible('https://api.fireworks.ai/inference'),
}

/** The file is no configuration of LiteLLM. Its message quotes no value of the file, which holds keys. */
export class UnreadableConfig extends Error {
  override readonly name = 'UnreadableConfig'

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`${path} is no configuration of LiteLLM that can be read: ${reason}`, options)
  }
}

/** The configuration of a LiteLLM proxy: a channel per address and key, and the prices that it states. `env` answers `os.environ/NAME`. */
export async function openConfigFile(path: string, env: Readonly<Record<string, string | undefined>>): Promise<Source> {
  const config = readConfig(path, await readFile(path, 'utf8'))
  const unknown: ImportItem[] = []
  const entries = (config.model_list ?? []).flatMap((value, index): Entry[] => {
    const entry = Entry.safeParse(value)
    const reason = entry.success ? refusalOf(entry.data) : 'not readable'
    if (entry.success && reason === undefined) return [entry.data]
    unknown.push({
      kind: 'channels',
      at: `model_list ${index}`,
      code: 'left-no-counterpart',
      detail: `${entry.success ? entry.data.model_name : ''} ${reason ?? ''}`.trim(),
    })
    return []
  })
  unknown.push(...leftSettings(config))
  const aliases = aliasesIn(config)
  const records: Partial<Record<ImportKind, readonly (ChannelRecord | OptionRecord)[]>> = {
    channels: channelsOf(entries, aliases, env),
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

function readConfig(path: string, text: string): z.infer<typeof Config> {
  const { document, faults } = readYaml(text)
  const [fault] = faults
  if (fault !== undefined) throw new UnreadableConfig(path, `${fault.message} at line ${fault.line}`)
  const config = Config.safeParse(valueOf(path, document))
  if (config.success) return config.data
  const reasons = config.error.issues.map((issue) => [issue.path.join('.'), issue.message.replace(/^Invalid input: /, '')])
  throw new UnreadableConfig(path, reasons.map((parts) => parts.filter((part) => part !== '').join(': ')).join('; '))
}

function valueOf(path: string, document: ReturnType<typeof readYaml>['document']): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    throw new UnreadableConfig(path, 'an alias has no anchor, or there are too many', { cause })
  }
}

function splitModel(model: string): { vendor: string; name: string } {
  const at = model.indexOf('/')
  if (at > 0) return { vendor: model.slice(0, at), name: model.slice(at + 1) }
  return { vendor: model.startsWith('claude') ? 'anthropic' : 'openai', name: model }
}

function refusalOf({ model_name, litellm_params }: Entry): string | undefined {
  if (model_name.includes('*')) return 'pattern'
  const { vendor } = splitModel(litellm_params.model)
  return ownValue(VENDORS, vendor) === undefined ? `vendor ${vendor}` : undefined
}

/** Further names of each model. */
type Aliases = ReadonlyMap<string, readonly string[]>

function aliasesIn({ router_settings }: z.infer<typeof Config>): Aliases {
  const aliases = Object.entries(router_settings?.model_group_alias ?? {})
  const byModel = Map.groupBy(aliases, ([, alias]) => (typeof alias === 'string' ? alias : alias.model))
  return new Map([...byModel].map(([model, group]) => [model, group.map(([name]) => name)]))
}

const namesOf = ({ model_name }: Pick<Entry, 'model_name'>, aliases: Aliases): string[] => [model_name, ...(aliases.get(model_name) ?? [])]

/** Entries with the same vendor, address, key, weight and order are one channel. */
function channelsOf(entries: readonly Entry[], aliases: Aliases, env: Readonly<Record<string, string | undefined>>): ChannelRecord[] {
  const resolve = (text: string | undefined): string => {
    const name = /^os\.environ\/(\w+)$/.exec(text ?? '')?.[1]
    return name === undefined ? (text ?? '') : (env[name] ?? '')
  }
  const places = new Map(
    [...Map.groupBy(entries, ({ model_name }) => model_name).values()].flatMap((group) =>
      [...group.entries()].map(([at, entry]) => [entry, at]),
    ),
  )
  const keyOf = (entry: Entry): string => {
    const { api_base, api_key, api_version, weight, order, model } = entry.litellm_params
    const same = places.get(entry)
    return JSON.stringify([splitModel(model).vendor, api_base, api_key, api_version, weight, order, same])
  }
  return [...Map.groupBy(entries, keyOf)].map(([key, group]): ChannelRecord => {
    const [first] = group
    const { api_base, api_key, api_version, weight, order = 0 } = first?.litellm_params ?? { model: '' }
    const { vendor } = splitModel(first?.litellm_params.model ?? '')
    const { type, base_url = '' } = ownValue(VENDORS, vendor) ?? { type: 1 }
    const pairs = group.flatMap((entry) => {
      const { name } = splitModel(entry.litellm_params.model)
      return namesOf(entry, aliases).map((model) => [model, name] as const)
    })
    const mapped = pairs.filter(([model, name]) => model !== name)
    const secret = resolve(api_key)
    const address = resolve(api_base).replace(/\/+$/, '')
    return {
      origin: { table: 'model_list', id: first?.model_name ?? '' },
      notes: [],
      id: idOf('model', key),
      type,
      name: `${vendor} ${first?.model_name ?? ''}`.trim(),
      keys: secret === '' ? [] : [secret],
      has_several_keys: false,
      key_mode: 'random',
      disabled_keys: [],
      status: 1,
      openai_organization: '',
      test_model: first?.model_name ?? '',
      base_url: address === '' ? base_url : type === 1 ? address.replace(/\/v1$/, '') : address,
      other: api_version ?? '',
      models: [...new Set(pairs.map(([model]) => model))],
      groups: ['default'],
      model_mapping: mapped.length === 0 ? '' : JSON.stringify(Object.fromEntries(mapped)),
      status_code_mapping: '',
      param_override: '',
      setting: {},
      // The lowest order is tried first.
      priority: 0 - Math.trunc(order),
      weight: Math.max(0, Math.round(weight ?? 1)),
      auto_ban: true,
      tag: 'litellm',
      used_quota: 0,
      created_time: 0,
    }
  })
}

/** The costs of each name. Those of `litellm_params` win over those of `model_info`, and an entry over those before it. */
function costsOf(entries: readonly Entry[], aliases: Aliases): ReadonlyMap<string, Costs> {
  const models = new Map<string, Costs>()
  for (const { model_name, litellm_params, model_info = {} } of entries) {
    const costs = new Map([...costsIn(model_info), ...costsIn(litellm_params)])
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

/** Settings of which nothing is carried. */
function leftSettings(config: z.infer<typeof Config>): ImportItem[] {
  const carried = new Set(['router_settings.model_group_alias', 'router_settings.num_retries', ...chainsIn(config).map(([at]) => at)])
  return Object.entries(config).flatMap(([section, value]) => {
    if (section === 'model_list' || value === null || typeof value !== 'object') return []
    return Object.keys(value)
      .map((name) => `${section}.${name}`)
      .filter((at) => !carried.has(at))
      .map((at) => ({ kind: 'options', at, code: 'left-no-counterpart', detail: '' }))
  })
}
