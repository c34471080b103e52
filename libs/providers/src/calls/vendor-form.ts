import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { AnswerFacts } from '../chat/answer-facts.ts'
import { parseJson, type JsonObject } from '../json.ts'
import type { ApiFormat } from './api-format.ts'
import type { ResponseType } from './response-type.ts'
import type { Obstacle, Operation, Translator, TranslatorInput } from './operation.ts'

/** A vendor's own form of an operation that clients call in the common one. Pure functions of bodies; there is no stream. */
export type VendorForm = {
  readonly format: ApiFormat
  /** The field that the form cannot express, or why the vendor refuses it; such requests go to other channels. */
  readonly obstacle: (body: JsonObject) => string | Obstacle | undefined
  /** Bytes are sent as they are. */
  readonly encode: (
    input: TranslatorInput,
    upstream_model: string,
  ) => { readonly body: JsonObject | Buffer; readonly warnings: readonly string[] }
  readonly readAnswer: (answer: unknown, input: TranslatorInput) => FormAnswer
  readonly decodeError: (status: number, body: unknown) => UpstreamFailure
}

export type FormAnswer =
  /** `body` is the client's; text has the given type. */
  | ({ readonly kind: 'answer'; readonly body: JsonObject | string; readonly content_type?: ResponseType } & Pick<
      AnswerFacts,
      'usage' | 'raw_usage'
    >)
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** Adds vendors that have a form of their own to an operation. A vendor with several forms gets the one that it lists first. */
export function withForms(own: Operation, forms: readonly VendorForm[]): Operation {
  return {
    ...own,
    findObstacle: (request) => {
      const known = own.findObstacle?.(request)
      const field = forms.map((form) => form.obstacle(request.body)).find((found) => found !== undefined)
      if (known !== undefined || field === undefined) return known
      return obstacleOf(field)
    },
    formatFor: (formats, request) => {
      const common = own.formatFor(formats, request)
      const possible = forms.filter(({ obstacle }) => obstacle(request.body) === undefined).map(({ format }) => format)
      return formats.find((format) => format === common || possible.includes(format))
    },
    createTranslator: (format, input) => {
      const form = forms.find((one) => one.format === format)
      return form === undefined ? own.createTranslator(format, input) : formTranslator(form, input)
    },
  }
}

/** The error detail for the client. */
export function obstacleOf(found: string | Obstacle): Obstacle {
  return typeof found === 'string' ? { field: found, detail: `field ${found} is not possible with the vendors of this model` } : found
}

/** Converts a request of the operation to a vendor's form, and its response back. */
export function formTranslator({ format, encode, readAnswer, decodeError }: VendorForm, input: TranslatorInput): Translator {
  return {
    format,
    isSameFormat: false,
    media: () => [],
    encode: ({ upstream_model, patch, param_override }) => {
      const { body, warnings } = encode(input, upstream_model)
      if (Buffer.isBuffer(body)) return { body, content_type: 'application/octet-stream', warnings }
      const changed = { ...(patch?.(body) ?? body), ...param_override }
      return { body: Buffer.from(JSON.stringify(changed)), content_type: 'application/json', warnings }
    },
    streamType: () => undefined,
    openStream: () => {
      throw new Error(`${format} has no stream`)
    },
    readWhole: (bytes) => {
      const read = readAnswer(parseJson(bytes.toString()), input)
      if (read.kind === 'failed') return { kind: 'failed', failure: withoutBody(read.failure) }
      const { body, content_type = 'application/json', usage, raw_usage } = read
      const facts = { usage, raw_usage, texts: [], tool_texts: [], warnings: [], finish: undefined }
      return { kind: 'answer', bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), content_type, ...facts }
    },
    decodeError: (status, body) => withoutBody(decodeError(status, body)),
  }
}

/** The vendor's error object is of another format than the client's. */
const withoutBody = (failure: UpstreamFailure): UpstreamFailure => ({ ...failure, body: undefined })
