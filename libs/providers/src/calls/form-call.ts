import type { DecodedRequest, RouteFacts } from '../chat/model-request.ts'
import type { ReadAnswer } from '../chat/codec.ts'
import type { AnswerStream } from '../chat/stream.ts'
import { decodeUpstreamError } from '../chat/formats/openai-chat/errors.ts'
import { type JsonObject } from '../json.ts'
import { encodeForm, fieldsOf, type Form } from '../form.ts'
import type { EncodeInput, Encoded, Operation, Translator, TranslatorInput } from './operation.ts'
import { findCaseVariant } from '../unambiguous-json.ts'
import { invalid } from './non-chat.ts'
import type { ApiFormat } from './api-format.ts'
import type { ResponseType } from './response-type.ts'
import { asStream, type NamedEvent } from './whole-as-stream.ts'

type Read = Extract<ReadAnswer, { kind: 'answer' }>
/** `content_type`: absent for JSON. */
export type FormAnswer = (Read & { readonly content_type?: ResponseType }) | Exclude<ReadAnswer, Read>

/** An operation whose body is a form. The bytes pass through unless a field must change. */
export type FormCall = {
  readonly name: string
  readonly format: ApiFormat
  /** The file is audio whose duration may be charged. */
  readonly measures?: 'audio'
  readRequest(form: Form, fields: JsonObject, route: RouteFacts): DecodedRequest
  readAnswer(bytes: Buffer, content_type: string, input: TranslatorInput): FormAnswer
  readonly stream?: { open(input: TranslatorInput): AnswerStream }
  /** The events of a complete response to a request for a stream; absent: the operation has no stream. */
  eventsOf?(bytes: Buffer, read: Read): readonly NamedEvent[]
}

export function formCall(call: FormCall): Operation {
  return {
    name: call.name,
    body: 'multipart',
    ...(call.measures === undefined ? {} : { measures: call.measures }),
    readRequest: (body, route) => {
      const fields = fieldsOf(body as Form) // the pipeline parses forms for `multipart` operations
      if (fields === undefined) return invalid('request.field', 'a field is given more than once')
      const fault = findNameFault(body as Form, fields)
      if (fault !== undefined) return invalid('request.field', fault)
      const read = call.readRequest(body as Form, fields, route)
      return read.kind === 'ok' ? { kind: 'ok', request: { ...read.request, form: body as Form } } : read
    },
    formatFor: (formats) => (formats.includes(call.format) ? call.format : undefined),
    createTranslator: (_, input) => formTranslator(call, input),
  }
}

/** A field in another case, or as a file, which a vendor may read although the gateway does not. */
function findNameFault({ parts }: Form, fields: JsonObject): string | undefined {
  const variant = findCaseVariant(fields)
  if (variant !== undefined) return `field ${variant} must be written in its documented case`
  const named = new Set(['model', ...Object.keys(fields)])
  return parts.some(({ kind, name }) => kind === 'file' && named.has(name)) ? 'a field is given more than once' : undefined
}

function formTranslator(call: FormCall, input: TranslatorInput): Translator {
  return {
    format: call.format,
    isSameFormat: true,
    media: () => [],
    encode: (encoding) => encode(input, encoding),
    streamType: (content_type) =>
      call.stream !== undefined && content_type.toLowerCase().includes('event-stream') ? 'text/event-stream' : undefined,
    openStream: () => {
      if (call.stream === undefined) throw new Error(`${call.name} has no stream`)
      return call.stream.open(input)
    },
    readWhole: (bytes, content_type) => {
      const read = call.readAnswer(bytes, content_type.toLowerCase(), input)
      if (read.kind === 'failed') return read
      if (input.request.is_stream && call.eventsOf !== undefined) return { ...read, ...asStream(call.eventsOf(bytes, read)), warnings: [] }
      return { ...read, bytes, content_type: read.content_type ?? 'application/json', warnings: [] }
    },
    decodeError: decodeUpstreamError,
  }
}

function encode({ request, raw, content_type, request_id }: TranslatorInput, { upstream_model, param_override }: EncodeInput): Encoded {
  const overrides = Object.entries(param_override).filter(([, value]) => value !== null && typeof value !== 'object')
  const warnings = Object.keys(param_override).filter((name) => !overrides.some(([kept]) => kept === name))
  const fields = { model: upstream_model, ...Object.fromEntries(overrides.map(([name, value]) => [name, String(value)])) }
  const changes = Object.fromEntries(Object.entries(fields).filter(([name, value]) => request.body[name] !== value))
  if (Object.keys(changes).length === 0 || request.form === undefined) return { body: raw, content_type, warnings, accept: '*/*' }
  const boundary = `tollgate-${request_id}`
  return {
    body: encodeForm(request.form, changes, boundary),
    content_type: `multipart/form-data; boundary=${boundary}`,
    warnings,
    accept: '*/*',
  }
}
