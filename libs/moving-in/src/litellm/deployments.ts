import { ownValue } from '@tollgate/contracts/values/own-value'
import { z } from 'zod'
import { isCost } from './costs.ts'
import { AWS, VENDORS, VERTEX, type Vendor } from './vendors.ts'

const Text = z.string().nullish()

/** The fields of a channel. A credential of `credential_list` holds the same fields as an entry. */
const Params = z.looseObject({
  model: z.string(),
  custom_llm_provider: Text,
  litellm_credential_name: Text,
  api_base: Text,
  base_url: Text,
  api_key: Text,
  api_version: Text,
  organization: Text,
  extra_headers: z.record(z.string(), z.string()).nullish(),
  aws_access_key_id: Text,
  aws_secret_access_key: Text,
  aws_region_name: Text,
  aws_bedrock_runtime_endpoint: Text,
  vertex_project: Text,
  vertex_location: Text,
  vertex_credentials: z.union([z.string(), z.looseObject({})]).nullish(),
  region_name: Text,
  weight: z.number().nullish(),
  rpm: z.number().nullish(),
  tpm: z.number().nullish(),
  order: z.number().nullish(),
})
type Params = z.infer<typeof Params>
const CARRIED = new Set(Object.keys(Params.shape))
const ACCOUNT = Params.keyof().options.filter((field) => !['model', 'custom_llm_provider', 'weight', 'rpm', 'tpm', 'order'].includes(field))

/** An entry of `model_list`. */
export const Entry = z.looseObject({ model_name: z.string(), litellm_params: Params, model_info: z.looseObject({}).nullish() })
export type Entry = z.infer<typeof Entry>

/** An entry of `credential_list`. */
export const Credential = z.looseObject({ credential_name: z.string(), credential_values: z.looseObject({}) })
type Credential = z.infer<typeof Credential>

/** An account at a vendor that answers a model, and the name of the model there. Texts are resolved, and empty where nothing is stated. */
export type Deployment = {
  /** The account as it is written, so that a variable can get another value without making it another account. */
  readonly account: string
  readonly vendor: string
  readonly model: string
  readonly type: number
  readonly address: string
  readonly secret: string
  readonly other: string
  readonly organization: string
  readonly headers: Readonly<Record<string, string>>
  /** The variable that the key is read from, where the entry does not name it; or that it would be read from. */
  readonly variable: { readonly name: string; readonly isSet: boolean } | undefined
  /** Fields of which nothing is carried. */
  readonly left: readonly string[]
}

/** The text behind `os.environ/NAME`; another text is itself, none is empty. */
export type Resolve = (text: string | null | undefined) => string
const VARIABLE = 'os.environ/'
/** The name in `os.environ/NAME`. */
export const variableIn = (text: unknown): string | undefined =>
  typeof text === 'string' && text.startsWith(VARIABLE) ? text.slice(VARIABLE.length) : undefined

/** The entry's deployment, or why it has no counterpart. Fields beside a credential's name win over the credential's, as in the proxy. */
export function deploymentOf(entry: Entry, credentials: readonly Credential[], resolve: Resolve): Deployment | string {
  if (entry.model_name.includes('*')) return 'pattern'
  const named = credentials.findLast(({ credential_name }) => credential_name === entry.litellm_params.litellm_credential_name)
  const own = Object.fromEntries(Object.entries(entry.litellm_params).filter(([, value]) => value !== null))
  const read = Params.safeParse({ ...named?.credential_values, ...own })
  if (!read.success) return `credential ${named?.credential_name ?? ''} is not readable`
  const { vendor, name, region } = splitModel(read.data)
  const params = { ...read.data, region_name: read.data.region_name ?? region }
  const counterpart = ownValue(VENDORS, vendor)
  if (counterpart === undefined) return `vendor ${vendor}`
  const { type, base_url } = counterpart
  const filled = { ...params, ...impliedIn(counterpart, params, resolve) }
  const secret = secretOf(filled, type, resolve)
  const stated = resolve((type === AWS ? filled.aws_bedrock_runtime_endpoint : undefined) ?? filled.base_url ?? filled.api_base)
  const address = stated.replace(/\/+$/, '')
  return {
    account: JSON.stringify([vendor, region, ...ACCOUNT.map((field) => entry.litellm_params[field])]),
    vendor,
    model: name,
    type,
    address: address === '' ? base_url : type === 1 ? address.replace(/\/v1$/, '') : address,
    secret,
    other: resolve(type === VERTEX ? (filled.vertex_location ?? filled.region_name) : filled.api_version),
    organization: resolve(params.organization),
    headers: Object.fromEntries(Object.entries(params.extra_headers ?? {}).map(([header, value]) => [header, resolve(value)])),
    variable: variableOf(secret, params, filled, counterpart),
    left: [...leftOf(entry, params, named), ...(isOtherProject(secret, resolve(params.vertex_project)) ? ['vertex_project'] : [])],
  }
}

const REGION = /(?:^|\/)([a-z]{2}(?:-[a-z]+)+-\d)\//
/** Parts of a model's name that choose a way inside the proxy, or a region. */
const WAYS: Readonly<Record<string, RegExp>> = {
  bedrock: /^(?:(?:converse|converse_like|invoke|[a-z]{2}(?:-[a-z]+)+-\d)\/)+/,
  azure: /^(?:responses|o_series|gpt5_series)\//,
  openai: /^responses\//,
}

type Name = { readonly vendor: string; readonly name: string; readonly region?: string | undefined }

function splitModel({ model, custom_llm_provider }: Params): Name {
  const at = model.indexOf('/')
  const stated = custom_llm_provider ?? ''
  if (stated !== '') return withoutWay(stated, model.startsWith(`${stated}/`) ? model.slice(at + 1) : model)
  if (at > 0) return withoutWay(model.slice(0, at), model.slice(at + 1))
  return { vendor: model.startsWith('claude') ? 'anthropic' : 'openai', name: model }
}

function withoutWay(vendor: string, path: string): Name {
  const way = ownValue(WAYS, vendor)?.exec(path)?.[0] ?? ''
  return { vendor, name: path.slice(way.length), region: REGION.exec(way)?.[1] }
}

/** Fields that state the same in another way. */
const OTHER_WAYS: Readonly<Record<string, string>> = {
  api_base: 'base_url',
  aws_region_name: 'region_name',
  vertex_location: 'region_name',
}

/** The fields that the proxy reads from variables that are set, where the entry states nothing. */
function impliedIn({ implied }: Vendor, params: Params, resolve: Resolve): Partial<Record<string, string>> {
  const isStated = (field: string): boolean => [field, OTHER_WAYS[field] ?? field].some((one) => (params[one] ?? undefined) !== undefined)
  return Object.fromEntries(
    Object.entries(implied).flatMap(([field, names]) => {
      const name = isStated(field) ? undefined : names?.find((one) => resolve(VARIABLE + one) !== '')
      return name === undefined ? [] : [[field, VARIABLE + name]]
    }),
  )
}

const SECRETS = ['api_key', 'aws_access_key_id', 'vertex_credentials'] as const

function variableOf(secret: string, params: Params, filled: Params, { implied }: Vendor): Deployment['variable'] {
  const nameOf = (from: Params): string | undefined => SECRETS.map((field) => variableIn(from[field])).find((name) => name !== undefined)
  const [stated, read] = [nameOf(params), nameOf(filled)]
  if (secret !== '') return stated !== undefined || read === undefined ? undefined : { name: read, isSet: true }
  const name = stated ?? implied.api_key?.[0]
  return name === undefined ? undefined : { name, isSet: false }
}

/** The key in the form of its vendor; empty: none, or one that lacks a part. */
function secretOf(params: Params, type: number, resolve: Resolve): string {
  if (type === AWS) {
    const region = resolve(params.aws_region_name ?? params.region_name)
    const bearer = resolve(params.api_key)
    const parts = bearer === '' ? [resolve(params.aws_access_key_id), resolve(params.aws_secret_access_key)] : [bearer]
    return region === '' || parts.includes('') ? '' : [...parts, region].join('|')
  }
  if (type !== VERTEX) return resolve(params.api_key)
  const { vertex_credentials: given } = params
  const text = typeof given === 'object' && given !== null ? JSON.stringify(given) : resolve(given)
  // A path names a file of the proxy's machine.
  return text.trim().startsWith('{') ? text.trim() : ''
}

/** True for a project that a service account's JSON does not name: the gateway calls that of the account. */
function isOtherProject(secret: string, project: string): boolean {
  return project !== '' && !secret.replaceAll(/\s/g, '').includes(`"project_id":${JSON.stringify(project)}`)
}

/** Settings of a request or a limit, costs of another unit, groups and teams that may call it, and a credential that is nowhere. */
function leftOf({ litellm_params, model_info }: Entry, params: Params, named: Credential | undefined): string[] {
  const { litellm_credential_name: credential } = litellm_params
  const isStated = (value: unknown): boolean => value !== null && value !== undefined && value !== false
  const fields = Object.entries(params).filter(([name, value]) => !CARRIED.has(name) && !isCost(name) && isStated(value))
  const facts = Object.entries(model_info ?? {}).filter(
    ([name, value]) => /(?:^|_)cost(?:_|$)|^(?:access_groups|team_id)$/.test(name) && !isCost(name) && isStated(value),
  )
  return [
    ...(typeof credential === 'string' && named === undefined ? ['litellm_credential_name'] : []),
    ...new Set([...fields, ...facts].map(([name]) => name)),
  ]
}

/** The entries of each name. */
export const groupsOf = (entries: readonly Entry[]): Entry[][] => [...Map.groupBy(entries, ({ model_name }) => model_name).values()]

/** The place of each entry among those of its name, the lowest first: one without an order comes after all that have one. */
export function ordersOf(entries: readonly Entry[]): ReadonlyMap<Entry, number> {
  const orderOf = ({ litellm_params, model_info }: Entry): number | undefined => {
    const order = Number(litellm_params.order ?? model_info?.['order'] ?? Number.NaN)
    return Number.isSafeInteger(order) ? order : undefined
  }
  return new Map(
    groupsOf(entries).flatMap((group) => {
      const stated = group.map(orderOf).filter((order) => order !== undefined)
      const last = stated.length === 0 ? 0 : Math.max(...stated) + 1
      return group.map((entry) => [entry, orderOf(entry) ?? last] as const)
    }),
  )
}

const METRICS = ['weight', 'rpm', 'tpm'] as const
/** So large that the 10 that a draw adds to every weight, unless exact weights are on, moves no share by more than a hundredth. */
const LEAST_WEIGHT = 1000
const MAX_WEIGHT = 1_000_000_000

/**
 * The weight of each entry among those of its name: `weight`, else `rpm`, else `tpm`, whichever an entry of the name states. Among them an
 * entry that states none gets no requests. Entries with equal shares have 1.
 */
export function weightsOf(entries: readonly Entry[]): ReadonlyMap<Entry, number> {
  return new Map(
    groupsOf(entries).flatMap((group) => {
      const shares = sharesOf(group)
      return group.map((entry, at) => [entry, shares[at] ?? 1] as const)
    }),
  )
}

function sharesOf(group: readonly Entry[]): number[] {
  const stated = METRICS.map((metric) => group.map(({ litellm_params }) => Math.max(0, litellm_params[metric] ?? 0)))
  const weights = stated.find((values) => values.some((value) => value > 0)) ?? []
  if (new Set(weights).size < 2) return group.map(() => 1)
  const least = Math.min(...weights.filter((weight) => weight > 0))
  const factor = Math.min(Math.max(1, LEAST_WEIGHT / least), MAX_WEIGHT / Math.max(...weights))
  return weights.map((weight) => Math.round(weight * factor))
}
