import { textOf } from '@tollgate/contracts/app-error'
import type { CallPreview, CallPreviewQuestion, PreviewedCall } from '@tollgate/contracts/channels/call-preview'
import { isCredentialName } from '@tollgate/contracts/channels/credential-names'
import { countInto } from '@tollgate/domain/pricing/count'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import { parseJsonObject, type JsonObject } from '@tollgate/providers/json'
import { chatOperation } from '@tollgate/providers/operations/chat'
import type { ConversionSettings } from '@tollgate/providers/calls/operation'
import type { PreparedCall } from './call.ts'
import { prepare, type PrepareInput } from './prepare.ts'

/** A preview ignores the operator's conversion options. */
const SETTINGS: ConversionSettings = { default_max_tokens: () => 8192, safety_settings: [], makes_images: () => false }

/** Used instead of the channel's key. Some vendors read parts of the address from the key: a JSON account, or fields. */
const KEYS = ['{api_key}', '{"project_id":"PROJECT","client_email":"ACCOUNT"}', 'ACCESS|SECRET|us-east-1']

type Channel = PrepareInput['channel']

/** The call that a channel would make for a client's request, without and with its overrides; text: why it would make none. */
export function previewCall(question: CallPreviewQuestion): CallPreview | string {
  const channel = channelOf(question)
  if (typeof channel === 'string') return channel
  const input = inputOf(question)
  if (typeof input === 'string') return input
  const { header_override: _left, ...setting } = channel.setting
  const before = callOf(input, { ...channel, param_override: {}, setting })
  if (typeof before === 'string') return before
  if ('error' in before) return before.error.message
  const after = callOf(input, channel)
  if (typeof after === 'string') return after
  if ('error' in after) return { ...shownCommon(before), before: before.call, error: after.error, warnings: [] }
  return { ...shownCommon(after), before: before.call, after: after.call, warnings: [...after.warnings] }
}

function channelOf({ type, base_url, other, openai_organization, ...texts }: CallPreviewQuestion): Channel | string {
  const [mapping, param_override, setting] = ([texts.model_mapping, texts.param_override, texts.setting] as const).map(objectIn)
  if (mapping === undefined || param_override === undefined || setting === undefined) return 'a field of the channel is not a JSON object'
  const model_mapping = Object.fromEntries(Object.entries(mapping).map(([name, value]) => [name, String(value)]))
  const address = base_url.trim().replace(/\/+$/, '')
  return { id: 0, type, base_url: address, other, openai_organization, model_mapping, param_override, setting }
}

type Input = Omit<PrepareInput, 'channel' | 'key'>

function inputOf({ call, model, body: text, headers: headerText, retry_index }: CallPreviewQuestion): Input | string {
  const fields = objectIn(text)
  const headers = objectIn(headerText)
  if (fields === undefined || headers === undefined) return 'the sample request is not a JSON object'
  const operation = chatOperation(chatCodecs[call])
  const isGemini = call === 'gemini'
  const body = isGemini ? fields : { ...fields, model }
  const decoded = operation.readRequest(body, isGemini ? { model, is_stream: false } : {})
  if (decoded.kind === 'invalid') return decoded.detail
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.trim().toLowerCase(), String(value)]))
  return {
    operation,
    given: {
      request: decoded.request,
      raw: Buffer.from(JSON.stringify(body)),
      content_type: 'application/json',
      request_id: 'preview',
      created: 0,
      prompt_tokens: 0,
      count: countInto,
      settings: SETTINGS,
    },
    clientHeader: (name) => sent.get(name.toLowerCase()) ?? '',
    retry_index,
  }
}

type Made = { readonly call: PreviewedCall; readonly format: string; readonly upstream_model: string; readonly warnings: readonly string[] }
type Returned = { readonly error: NonNullable<CallPreview['error']> }

const shownCommon = ({ format, upstream_model }: Made): Pick<CallPreview, 'format' | 'upstream_model'> => ({ format, upstream_model })

function callOf(input: Input, channel: Channel): Made | Returned | string {
  let refusal = ''
  for (const key of KEYS) {
    const prepared = prepare({ ...input, channel, key })
    if (prepared.kind === 'mapping-cycle') return textOf('model.mapping-cycle', 'en')
    if (prepared.kind === 'returned-error') return { error: { ...prepared.error, operation: prepared.at + 1 } }
    if (prepared.kind === 'ok') {
      const { call, translator, warnings } = prepared
      return { call: shownCall(call), format: translator.format, upstream_model: call.upstream_model, warnings }
    }
    refusal ||= prepared.detail
  }
  return refusal
}

function shownCall({ origin, path, headers, body }: PreparedCall): PreviewedCall {
  const shown: { name: string; value: string }[] = []
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    shown.push({ name, value: isCredentialName(name) ? '***' : (headers[at + 1] ?? '') })
  }
  return { url: origin + path, headers: shown, body: indented(body?.toString() ?? '') }
}

function indented(text: string): string {
  const body = parseJsonObject(text)
  return body === undefined ? text : JSON.stringify(body, null, 2)
}

function objectIn(text: string): JsonObject | undefined {
  return text.trim() === '' ? {} : parseJsonObject(text)
}
