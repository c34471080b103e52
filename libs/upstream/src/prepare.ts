import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import { mapModel } from '@tollgate/domain/channel-choice/map-model'
import type { MediaSource } from '@tollgate/providers/chat/request'
import type { Encoded, Operation, Translator, TranslatorInput } from '@tollgate/providers/operations/operation'
import type { CallFacts, ApiFormat } from '@tollgate/providers/operations/api-format'
import { adaptSuffix, type Adapted } from '@tollgate/providers/adapters/suffix'
import { authHeaders, urlOf } from '@tollgate/providers/vendors/address'
import { findVendor } from '@tollgate/providers/vendors/index'
import { wiresOf, type Vendor } from '@tollgate/providers/vendors/vendor'
import { unframed } from './aws-frames.ts'
import type { PreparedCall } from './call.ts'
import { bodyPatch, DEFAULT_POLICY, isPassThrough, shapedHeaders, type CallPolicy } from './policy.ts'
import type { Signing } from './signer.ts'

export type PrepareInput = {
  readonly channel: Pick<
    ChannelSnapshot,
    'id' | 'type' | 'base_url' | 'openai_organization' | 'model_mapping' | 'param_override' | 'setting' | 'other'
  >
  /** The channel's key in clear. */
  readonly key: string
  readonly operation: Operation
  readonly given: Omit<TranslatorInput, 'thinking_to_content' | 'force_format'>
  /** Query of the client's address with its `?`, or empty. */
  readonly query?: string
  /** Absent: as the options are by default. */
  readonly policy?: CallPolicy
  /** Headers of the client that go on where the vendor speaks its format; lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  /** Any header of the client by its lower-case name, for overrides that name it; empty when there is none. */
  readonly clientHeader?: (name: string) => string
}

export type Route =
  | { readonly kind: 'ok'; readonly vendor: Vendor; readonly translator: Translator; readonly upstream_model: string }
  /** The channel's model mapping leads back to itself. */
  | { readonly kind: 'mapping-cycle' }
  /** No format of ours serves the operation on this channel type, or its address is none. */
  | { readonly kind: 'unsupported'; readonly detail: string }

export type Prepared =
  | {
      readonly kind: 'ok'
      readonly call: PreparedCall
      readonly translator: Translator
      readonly warnings: readonly string[]
      readonly signing?: Signing
      readonly reasoning_effort?: string
    }
  | Exclude<Route, { kind: 'ok' }>

type Asked = {
  readonly channel: Pick<ChannelSnapshot, 'type' | 'model_mapping'>
  readonly model: string
  /** The format in which a vendor that speaks these serves the call. */
  formatFor(formats: readonly ApiFormat[]): ApiFormat | undefined
}

/** Whether a channel of this type has a format for the call. */
export function canServe({ channel, model, formatFor }: Asked): boolean {
  const vendor = findVendor(channel.type)
  if (vendor === undefined) return false
  const mapped = mapModel(channel.model_mapping, model)
  // A cycle is told when the channel is tried: it is the operator's to see.
  return mapped.kind === 'cycle' || formatFor(wiresOf(vendor, mapped.model)) !== undefined
}

/** The way to a channel: the mapping, the vendor's format, and what the answer needs on its way back. */
export function route({ channel, operation, given }: Pick<PrepareInput, 'channel' | 'operation' | 'given'>): Route {
  const vendor = findVendor(channel.type)
  const mapped = mapModel(channel.model_mapping, given.request.model)
  if (mapped.kind === 'cycle') return { kind: 'mapping-cycle' }
  const format = vendor === undefined ? undefined : operation.formatFor(wiresOf(vendor, mapped.model), given.request)
  if (vendor === undefined || format === undefined)
    return { kind: 'unsupported', detail: `channel type ${channel.type} does not serve ${operation.name}` }
  const translator = operation.createTranslator(format, {
    ...given,
    thinking_to_content: channel.setting['thinking_to_content'] === true,
    force_format: channel.setting['force_format'] === true,
  })
  return { kind: 'ok', vendor, translator, upstream_model: mapped.model }
}

type Found = Extract<Route, { kind: 'ok' }>

const NO_MEDIA: ReadonlyMap<string, MediaSource> = new Map()

/** All that turns a request and a channel into a call: mapping, overrides, conversion, address, credentials. Pure. */
export function prepare(input: PrepareInput, found: Route = route(input), media: ReadonlyMap<string, MediaSource> = NO_MEDIA): Prepared {
  if (found.kind !== 'ok') return found
  const { channel, key, given, policy = DEFAULT_POLICY } = input
  const { vendor, translator } = found
  const shape = shapeOf(input, found)
  const { adapted, facts } = shape
  const place = placeOf(urlOf(vendor, channel.base_url, facts) ?? '')
  if (place === undefined) return { kind: 'unsupported', detail: 'the channel has no usable address' }
  const encoded = encodeFor(input, found, { media, shape })
  const headers = {
    'content-type': encoded.content_type,
    accept: facts.is_stream ? 'text/event-stream' : (encoded.accept ?? 'application/json'),
    'accept-encoding': 'identity',
    ...shapedHeaders({
      facts,
      vendor,
      setting: channel.setting,
      model: given.request.model,
      policy,
      forwarded: translator.isSameFormat ? (input.headers ?? {}) : {},
      clientHeader: input.clientHeader ?? (() => ''),
    }),
    ...authHeaders(vendor, key, channel.openai_organization),
  }
  const call: PreparedCall = {
    method: 'POST',
    ...place,
    headers: listed(headers),
    body: encoded.body,
    proxy: proxyOf(channel.setting),
    poolKey: `channel-${channel.id}`,
    upstream_model: facts.model,
  }
  const signing = vendor.auth.kind === 'google' || vendor.auth.kind === 'aws' ? { signing: vendor.auth.kind } : {}
  const answered = vendor.isAwsFramed === true ? { ...translator, openStream: () => unframed(translator.openStream()) } : translator
  const { reasoning_effort } = adapted
  return {
    kind: 'ok',
    call,
    translator: answered,
    warnings: encoded.warnings,
    ...signing,
    ...(reasoning_effort === undefined ? {} : { reasoning_effort }),
  }
}

/** A call as far as its address, headers and body depend on it. */
type Shape = { readonly adapted: Adapted; readonly facts: CallFacts }

function shapeOf({ channel, key, given, query = '', policy = DEFAULT_POLICY }: PrepareInput, { translator, upstream_model }: Found): Shape {
  const adapted = adaptSuffix(translator.format, upstream_model, policy.adapters)
  const facts = {
    format: translator.format,
    model: adapted.model,
    is_stream: given.request.is_stream,
    other: channel.other,
    key,
    gemini_version: policy.geminiVersion(adapted.model),
    query: translator.isSameFormat ? query : '',
  }
  return { adapted, facts }
}

type Encoding = { readonly media?: ReadonlyMap<string, MediaSource>; readonly shape?: Shape }

/** The body of the call that `prepare` makes, and nothing else of it: for a thread that holds the content alone. */
export function encodeFor(input: PrepareInput, found: Found, { media = NO_MEDIA, shape = shapeOf(input, found) }: Encoding = {}): Encoded {
  const { channel, given, policy = DEFAULT_POLICY } = input
  const { vendor, translator } = found
  if (translator.isSameFormat && isPassThrough(policy, channel.setting))
    return { body: given.raw, content_type: given.content_type || 'application/json', warnings: [] }
  const { adapted, facts } = shape
  const patch = bodyPatch(vendor, facts, adapted, channel.setting)
  return translator.encode({
    upstream_model: facts.model,
    supports_stream_options: vendor.streamOptions,
    param_override: channel.param_override,
    patch,
    media,
  })
}

type Place = Pick<PreparedCall, 'origin' | 'path'>

const MAX_PLACES = 1000
const places = new Map<string, Place>()

/** Addresses come again and again, and reading one is dear. */
function placeOf(address: string): Place | undefined {
  const known = places.get(address)
  if (known !== undefined) return known
  const url = URL.parse(address)
  if (url === null) return undefined
  if (places.size >= MAX_PLACES) places.clear()
  const place = { origin: url.origin, path: url.pathname + url.search }
  places.set(address, place)
  return place
}

/** Name, value, name, value. */
function listed(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = []
  for (const name in headers) list.push(name, headers[name] ?? '')
  return list
}

/** `setting.proxy` of a channel; empty and other types mean none. */
export function proxyOf(setting: ChannelSnapshot['setting']): string | undefined {
  const proxy = setting['proxy']
  return typeof proxy === 'string' && proxy.trim() !== '' ? proxy.trim() : undefined
}
