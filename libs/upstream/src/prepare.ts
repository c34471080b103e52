import { BoundedMap } from '@tollgate/contracts/values/bounded-map'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { overrideHeaders } from '@tollgate/domain/param-override/apply'
import type { CallConditions, ReturnedError } from '@tollgate/domain/param-override/operation'
import { mapModel } from '@tollgate/domain/channel-choice/map-model'
import { formatsMeeting } from '@tollgate/providers/chat/demands'
import { TOLD_FORMAT } from '@tollgate/providers/chat/format-instruction'
import { findToldSchema } from '@tollgate/providers/chat/formats/openai-chat/told-schema'
import type { RequestFacts } from '@tollgate/providers/chat/model-request'
import type { MediaSource } from '@tollgate/providers/chat/request'
import type { Encoded, Operation, Translator, TranslatorInput } from '@tollgate/providers/calls/operation'
import { isObject, type JsonObject } from '@tollgate/providers/json'
import type { CallFacts, ApiFormat } from '@tollgate/providers/calls/api-format'
import { namingAnswers } from '@tollgate/providers/operations/answer-name'
import { withBothReasoningFields } from '@tollgate/providers/operations/both-reasoning-fields'
import { adaptSuffix, type Adapted } from '@tollgate/providers/adapters/suffix'
import { withoutPricedOptions } from '@tollgate/providers/chat/priced-options'
import { authHeaders, urlFor } from '@tollgate/providers/vendors/address'
import { findVendor } from '@tollgate/providers/vendors/index'
import { fieldsWithoutBeta, keptBetas, withBetas } from '@tollgate/providers/vendors/betas'
import { systemPlaceOf, withSystemPlaced } from '@tollgate/providers/adapters/system-messages'
import { apiFor, quirksFormatOf, servingFormats, type Vendor } from '@tollgate/providers/vendors/vendor'
import { droppedBy } from '@tollgate/providers/vendors/quirks'
import { unwrapAwsFrames } from './aws-frames.ts'
import type { PreparedCall } from './call.ts'
import { operationsOf, withOverride, type OverrideEffects } from './param-override.ts'
import { bodyPatch, DEFAULT_POLICY, isPassThrough, requestHeaders, type CallPolicy } from './policy.ts'
import type { Signing } from './signer.ts'
import { readingErrorCodes } from './error-codes.ts'

/** Fields that the gateway adds and some vendors refuse; `stream_options` of the client's own are dropped too. */
export type RefusableField = 'stream_options' | 'reasoning.summary'

export type PrepareInput = {
  readonly channel: Pick<
    ChannelSnapshot,
    'id' | 'type' | 'base_url' | 'openai_organization' | 'model_mapping' | 'param_override' | 'setting' | 'other'
  >
  /** The channel's key in plain text. */
  readonly key: string
  readonly operation: Operation
  readonly given: Omit<TranslatorInput, 'thinking_to_content' | 'force_format' | 'traits' | 'answer_model'>
  /** The client's query string with its `?`, or empty. */
  readonly query?: string
  /** Default: the options' defaults. */
  readonly policy?: CallPolicy
  /** Fields that the vendor refuses. */
  readonly without?: readonly RefusableField[]
  /** Client headers, lower case, forwarded if the vendor speaks the client's format. */
  readonly headers?: Readonly<Record<string, string>>
  /** Any client header by lower-case name, for header overrides; empty if it is absent. */
  readonly clientHeader?: (name: string) => string
  /** Attempts of this request that failed before; absent: none. */
  readonly retry_index?: number
  /** Another model serves the request than its body names; the model of `given` is that one. */
  readonly is_renamed?: boolean
  /** The body, if another thread has encoded it. */
  readonly encoded?: EncodedCall
}

/** A body with what the channel's override does beside changing it. */
export type EncodedCall = Encoded & { readonly effects?: OverrideEffects }

export type Route =
  | { readonly kind: 'ok'; readonly vendor: Vendor; readonly translator: Translator; readonly upstream_model: string }
  /** The channel's model mapping has a cycle. */
  | { readonly kind: 'mapping-cycle' }
  /** The channel type does not support the operation, or the channel has no valid address. */
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
  /** An operation of the channel's override answers with an error; `at` is its place in the list. */
  | { readonly kind: 'returned-error'; readonly error: ReturnedError; readonly at: number }

type CanServeInput = {
  readonly channel: Pick<ChannelSnapshot, 'type' | 'base_url' | 'model_mapping' | 'other' | 'setting'>
  readonly model: string
  /** Absent: one without tools. */
  readonly request?: Pick<RequestFacts, 'has_tools' | 'reasoning_effort' | 'demands'>
  /** The format in which its body passes as it is. */
  readonly own?: string
  /** Selects the format for the call among those that a vendor speaks. */
  formatFor(formats: readonly ApiFormat[]): ApiFormat | undefined
}

const NO_TOOLS: NonNullable<CanServeInput['request']> = { has_tools: false, reasoning_effort: undefined }

/** True if this channel type supports the call. */
export function canServe({ channel, model, request = NO_TOOLS, own = '', formatFor }: CanServeInput): boolean {
  const vendor = findVendor(channel.type)
  if (vendor === undefined) return false
  const mapped = mapModel(channel.model_mapping, model)
  // A mapping cycle is reported when the channel is tried, so that the operator sees it.
  if (mapped.kind === 'cycle') return true
  const formats = servingFormats(vendor, { model: mapped.model, channel, request })
  return (
    formatFor(formatsMeeting(request.demands, formats, { own, model: mapped.model, traits: vendor.traits, drops: vendor.quirks?.drop })) !==
    undefined
  )
}

type RouteInput = Pick<PrepareInput, 'channel' | 'key' | 'operation' | 'given' | 'policy'>

/** Maps the model and selects the vendor's format and translator. */
export function route({ channel, key, operation, given, policy = DEFAULT_POLICY }: RouteInput): Route {
  const known = findVendor(channel.type)
  if (known?.retired !== undefined) return { kind: 'unsupported', detail: known.retired.en }
  const mapped = mapModel(channel.model_mapping, given.request.model)
  if (mapped.kind === 'cycle') return { kind: 'mapping-cycle' }
  const vendor =
    known === undefined ? undefined : apiFor(known, { key, model: mapped.model, other: channel.other, base_url: channel.base_url })
  const { request } = given
  const formats = vendor === undefined ? [] : servingFormats(vendor, { model: mapped.model, channel, request })
  const meeting = { own: operation.name, model: mapped.model, traits: vendor?.traits, drops: vendor?.quirks?.drop }
  const format = operation.formatFor(formatsMeeting(request.demands, formats, meeting), request)
  if (vendor === undefined || format === undefined)
    return { kind: 'unsupported', detail: `channel type ${channel.type} does not serve ${operation.name}` }
  const translator = operation.createTranslator(format, {
    ...given,
    ...(vendor.traits === undefined ? {} : { traits: vendor.traits }),
    ...(policy.names_upstream_model ? { answer_model: mapped.model } : {}),
    thinking_to_content: channel.setting['thinking_to_content'] === true,
    force_format: channel.setting['force_format'] === true,
  })
  return {
    kind: 'ok',
    vendor,
    translator: forReader(named(translator, { requested: request.model, mapped: mapped.model, policy }), request),
    upstream_model: mapped.model,
  }
}

type Names = { readonly requested: string; readonly mapped: string; readonly policy: CallPolicy }

/** Answers of a channel that maps the name have the one that was requested, as converted answers have. */
function named(translator: Translator, { requested, mapped, policy }: Names): Translator {
  const isVendors = requested === mapped || policy.names_upstream_model || !translator.isSameFormat
  return isVendors ? translator : namingAnswers(translator, requested)
}

/** Answers to a client that may read reasoning from another field than most. */
const forReader = (translator: Translator, { both_reasoning_fields }: RequestFacts): Translator =>
  both_reasoning_fields === undefined ? translator : withBothReasoningFields(translator)

type Found = Extract<Route, { kind: 'ok' }>

const NO_EFFECTS: OverrideEffects = { headers: {}, warnings: [] }
const NO_MEDIA: ReadonlyMap<string, MediaSource> = new Map()

/** Turns a request and a channel into a call: mapping, overrides, conversion, address, credentials. Pure. */
export function prepare(input: PrepareInput, found: Route = route(input), media: ReadonlyMap<string, MediaSource> = NO_MEDIA): Prepared {
  if (found.kind !== 'ok') return found
  const { channel, key } = input
  const { vendor, translator } = found
  const target = targetOf(input, found)
  const { adapted, facts } = target
  const address = parseAddress(urlFor(vendor, channel.base_url, facts) ?? '')
  if (address === undefined) return { kind: 'unsupported', detail: 'the channel has no usable address' }
  const encoded = input.encoded ?? encodeFor(input, found, { media, target })
  const { returned, headers: synced } = encoded.effects ?? NO_EFFECTS
  if (returned !== undefined) return { kind: 'returned-error', ...returned }
  const headers = {
    'content-type': encoded.content_type,
    accept: facts.is_stream ? 'text/event-stream' : (encoded.accept ?? 'application/json'),
    'accept-encoding': 'identity',
    ...synced,
    ...headersOf(input, found, target),
    ...authHeaders(vendor, key, channel.openai_organization),
  }
  const call: PreparedCall = {
    method: 'POST',
    ...address,
    headers: toHeaderList(headers),
    body: encoded.body,
    proxy: proxyOf(channel.setting),
    poolKey: `channel-${channel.id}`,
    upstream_model: facts.model,
    ...(vendor.webSocket === undefined ? {} : { webSocket: vendor.webSocket }),
    ...(vendor.followUp === undefined ? {} : { followUp: (answer: unknown) => vendor.followUp?.(answer, facts) }),
  }
  const signing = vendor.auth.kind === 'bearer' || vendor.auth.kind === 'header' ? {} : { signing: vendor.auth.kind }
  const framed = vendor.isAwsFramed === true ? { ...translator, openStream: () => unwrapAwsFrames(translator.openStream()) } : translator
  const answered = vendor.errorCodes === undefined ? framed : readingErrorCodes(framed, vendor.errorCodes)
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

function headersOf(input: PrepareInput, { vendor, translator }: Found, { facts }: Target): Readonly<Record<string, string>> {
  const { channel, given, policy = DEFAULT_POLICY, clientHeader = NO_HEADER } = input
  const headers = requestHeaders({
    facts,
    vendor,
    setting: channel.setting,
    model: given.request.model,
    policy,
    forwarded: translator.isSameFormat ? (input.headers ?? {}) : {},
    clientHeader,
  })
  const override = operationsOf(channel.param_override)
  const known = withKnownBetas(vendor, headers)
  return override === undefined ? known : overrideHeaders(known, override, conditionsOf(input, facts.model))
}

const BETAS = 'anthropic-beta'

/** The headers with those betas that the vendor knows. */
function withKnownBetas({ betas }: Vendor, headers: Record<string, string>): Record<string, string> {
  if (betas === undefined || headers[BETAS] === undefined) return headers
  const { [BETAS]: given, ...rest } = headers
  const kept = keptBetas(betas, given)
  return kept.length === 0 ? rest : { ...rest, [BETAS]: kept.join(',') }
}

const NO_HEADER = (): string => ''

function conditionsOf({ given, retry_index = 0, clientHeader = NO_HEADER }: PrepareInput, upstream_model: string): CallConditions {
  return { original_model: given.request.model, upstream_model, retry_index, header: clientHeader }
}

/** Facts on which the address, headers and body of a call depend. */
type Target = { readonly adapted: Adapted; readonly facts: CallFacts }

function targetOf(
  { channel, key, given, query = '', policy = DEFAULT_POLICY }: PrepareInput,
  { translator, upstream_model }: Found,
): Target {
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

type Encoding = { readonly media?: ReadonlyMap<string, MediaSource>; readonly target?: Target }

/** The body of the call that `prepare` would return; used by body workers, which hold only the content. */
export function encodeFor(
  input: PrepareInput,
  found: Found,
  { media = NO_MEDIA, target = targetOf(input, found) }: Encoding = {},
): EncodedCall {
  const { channel, given, policy = DEFAULT_POLICY } = input
  const { vendor, translator } = found
  if (translator.isSameFormat && isPassThrough(policy, channel.setting)) {
    const { body } = given.request
    const allowed = given.request.form === undefined ? withoutPricedOptions(body, channel.setting) : body
    const named = input.is_renamed === true && typeof allowed['model'] === 'string' ? { ...allowed, model: given.request.model } : allowed
    const bytes = named === body ? given.raw : Buffer.from(JSON.stringify(named))
    return { body: bytes, content_type: given.content_type || 'application/json', warnings: [] }
  }
  const { adapted, facts } = target
  const ownBody = bodyPatch(vendor, facts, adapted, channel.setting)
  const betas = facts.format === 'anthropic-messages' ? vendor.betas : undefined
  const named = betas === undefined ? [] : keptBetas(betas, headersOf(input, found, target)[BETAS])
  const adaptBody = (body: JsonObject) => (betas === undefined ? ownBody(body) : withBetas(betas, named, ownBody(body)))
  const place = systemPlaceOf(channel.setting['system_messages'], vendor.systemMessages?.[facts.format])
  let hasMoved = false
  const adapt = (body: JsonObject) => {
    const adaptedBody = adaptBody(body)
    const placed = withSystemPlaced(facts.format, place, adaptedBody)
    hasMoved ||= placed !== adaptedBody
    return placed
  }
  const without = input.without ?? []
  let given_body = given.request.body
  const patch = (body: JsonObject) => {
    if (!translator.isSameFormat) given_body = body
    return withoutFields(adapt(body), without, translator)
  }
  const { effects: effectsOf, ...changes } = withOverride(
    { param_override: channel.param_override, patch },
    { isForm: given.request.form !== undefined, call: conditionsOf(input, facts.model) },
  )
  const encoded = translator.encode({
    upstream_model: facts.model,
    supports_stream_options: vendor.streamOptions && !without.includes('stream_options'),
    ...changes,
    media,
  })
  const effects = effectsOf()
  const hasQuirks = vendor.quirks !== undefined && translator.format === quirksFormatOf(vendor)
  const unknown = betas === undefined ? [] : fieldsWithoutBeta(betas, given_body)
  if (effects === undefined && !hasQuirks && !hasMoved && unknown.length === 0) return encoded
  const dropped = hasQuirks ? droppedBy(vendor.quirks, given_body) : []
  const moved = hasMoved ? ['system_position'] : []
  const told = isToldSchema(vendor, translator, given_body) ? [TOLD_FORMAT] : []
  const warnings = [...encoded.warnings, ...dropped, ...moved, ...told, ...unknown, ...(effects?.warnings ?? [])]
  return { ...encoded, warnings, ...(effects === undefined ? {} : { effects }) }
}

const isToldSchema = ({ traits = {} }: Vendor, { format }: Translator, body: JsonObject): boolean =>
  format === 'openai-chat' && findToldSchema(body, traits) !== undefined

function withoutFields(body: JsonObject, fields: readonly RefusableField[], { isSameFormat }: Translator): JsonObject {
  let kept = body
  if (fields.includes('stream_options') && body['stream_options'] !== undefined) {
    const { stream_options: _dropped, ...rest } = kept
    kept = rest
  }
  const { reasoning } = kept
  if (!isSameFormat && fields.includes('reasoning.summary') && isObject(reasoning) && 'summary' in reasoning) {
    const { summary: _dropped, ...rest } = reasoning
    kept = { ...kept, reasoning: rest }
  }
  return kept
}

type Address = Pick<PreparedCall, 'origin' | 'path'>

const addresses = new BoundedMap<Address>(500)

/** Parses a URL; cached, because few addresses recur and parsing is expensive. */
function parseAddress(text: string): Address | undefined {
  const known = addresses.get(text)
  if (known !== undefined) return known
  const url = URL.parse(text)
  if (url === null) return undefined
  const address = { origin: url.origin, path: url.pathname + url.search }
  addresses.set(text, address)
  return address
}

/** Flat list: name, value, name, value. */
function toHeaderList(headers: Readonly<Record<string, string>>): string[] {
  const list: string[] = []
  for (const name in headers) list.push(name, headers[name] ?? '')
  return list
}

/** The channel's `setting.proxy`; undefined if it is empty or not a string. */
export function proxyOf(setting: ChannelSnapshot['setting']): string | undefined {
  const proxy = setting['proxy']
  return typeof proxy === 'string' && proxy.trim() !== '' ? proxy.trim() : undefined
}
