import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { DecodedRequest, ModelRequest } from '../chat/model-request.ts'
import { isObject, parseJsonObject, type JsonObject } from '../json.ts'
import type { ApiFormat } from './api-format.ts'
import { invalid, NOT_AN_OBJECT } from './non-chat.ts'
import type { Operation, Translator, TranslatorInput } from './operation.ts'

/** The form in which clients of another API call an operation. Pure functions of bodies; there is no stream. */
export type ClientForm = {
  /** Why this gateway cannot serve the body; undefined: it can. */
  readonly obstacle: (body: JsonObject) => string | undefined
  /** The body in the operation's own form, for a vendor of this format; undefined: of any, for what all of them read. */
  readonly toOwn: (body: JsonObject, format: ApiFormat | undefined) => { readonly body: JsonObject; readonly warnings: readonly string[] }
  /** The parts of the body that `write` and the own answer depend on. */
  readonly answerSettings: (body: JsonObject) => JsonObject
  /** The operation's own answer in the form of the client. */
  readonly write: (answer: JsonObject, input: Pick<TranslatorInput, 'request' | 'request_id'>, usage: Usage | undefined) => JsonObject
}

/** The operation for clients of another form. Their bodies and answers are converted; vendors see the operation's own forms. */
export function forClients(own: Operation, form: ClientForm): Operation {
  const inOwn = (request: ModelRequest): ModelRequest => ({ ...request, body: form.toOwn(request.body, undefined).body })
  return {
    ...own,
    readRequest: (body, route) => readRequest(own, form, { body, route }),
    formatFor: (formats, request) => own.formatFor(formats, inOwn(request)),
    findObstacle: (request) => own.findObstacle?.(inOwn(request)),
    answerSettings: ({ body }) => form.answerSettings(body),
    createTranslator: (format, input) => translator(own, form, { format, input }),
  }
}

type Reading = { readonly body: unknown; readonly route: Parameters<Operation['readRequest']>[1] }

function readRequest(own: Operation, form: ClientForm, { body, route }: Reading): DecodedRequest {
  if (!isObject(body)) return NOT_AN_OBJECT
  const detail = form.obstacle(body)
  if (detail !== undefined) return invalid('request.field', detail)
  const read = own.readRequest(form.toOwn(body, undefined).body, route)
  return read.kind === 'ok' ? { kind: 'ok', request: { ...read.request, body } } : read
}

type Translating = { readonly format: ApiFormat; readonly input: TranslatorInput }

function translator(own: Operation, form: ClientForm, { format, input }: Translating): Translator {
  const { body, warnings } = form.toOwn(input.request.body, format)
  const inner = own.createTranslator(format, {
    ...input,
    request: { ...input.request, body },
    raw: Buffer.from(JSON.stringify(body)),
    content_type: 'application/json',
  })
  return asConverted(inner, { warnings, write: (answer, usage) => form.write(answer, input, usage) })
}

type Conversion = {
  /** Parts that the conversion of the request leaves out. */
  readonly warnings: readonly string[]
  /** The operation's own answer in the form of the client. */
  readonly write: (answer: JsonObject, usage: Usage | undefined) => JsonObject
}

/** An operation's translator for a client of another form, whose answers are converted and whose errors are not the vendor's. */
export function asConverted(inner: Translator, { warnings, write }: Conversion): Translator {
  return {
    ...inner,
    isSameFormat: false,
    encode: (encoding) => {
      const sent = inner.encode(encoding)
      return { ...sent, warnings: [...warnings, ...sent.warnings] }
    },
    readWhole: (bytes, content_type) => {
      const read = inner.readWhole(bytes, content_type)
      if (read.kind === 'failed') return { kind: 'failed', failure: { ...read.failure, body: undefined } }
      const answer = write(parseJsonObject(read.bytes.toString()) ?? {}, read.usage)
      return { ...read, bytes: Buffer.from(JSON.stringify(answer)), content_type: 'application/json' }
    },
    decodeError: (status, error) => ({ ...inner.decodeError(status, error), body: undefined }),
  }
}
