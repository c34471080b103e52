import type { AnswerStream } from '../chat/stream.ts'
import type { DecodedRequest, ModelRequest, RouteFacts } from '../chat/model-request.ts'
import type { ReadAnswer, PassThroughInput } from '../chat/codec.ts'
import { decodeUpstreamError } from '../chat/formats/openai-chat/errors.ts'
import { encodeChatBody } from '../chat/formats/openai-chat/request.ts'
import type { Operation, Translator, TranslatorInput, WholeRead } from './operation.ts'
import type { ApiFormat } from './api-format.ts'
import { parseJson, type JsonObject } from '../json.ts'
import type { ResponseType } from './response-type.ts'
import { asStream, type NamedEvent } from './whole-as-stream.ts'

/** An operation with a JSON body that exists in one format only: bytes pass through and are read for usage. */
export type JsonCall = {
  readonly name: string
  readonly format: ApiFormat
  /** The `accept` header, if the response is neither JSON nor an event stream. */
  readonly accept?: string
  readRequest(body: unknown, route: RouteFacts): DecodedRequest
  /** Usage and texts of a complete response, or the error inside a 200. */
  readAnswer(body: unknown, input: TranslatorInput): ReadAnswer
  /** Reads a complete response that is not JSON; undefined: it is. */
  readBytes?(bytes: Buffer, content_type: string, input: TranslatorInput): WholeRead | undefined
  /** The complete answer in the form that the client asked for, if the vendor sent another; undefined: it is right as it is. */
  rewriteAnswer?(body: unknown, input: TranslatorInput): JsonObject | undefined
  /** The events of a complete response to a request for a stream; absent: the operation has no stream. */
  eventsOf?(body: unknown): readonly NamedEvent[]
  /** For streamed responses: the content type and the stream reader. */
  readonly stream?: {
    typeFor(content_type: string, input: TranslatorInput): ResponseType | undefined
    open(input: TranslatorInput): AnswerStream
  }
}

export function jsonCall(call: JsonCall): Operation {
  return {
    name: call.name,
    body: 'json',
    readRequest: (body, route) => call.readRequest(body, route),
    formatFor: (formats) => (formats.includes(call.format) ? call.format : undefined),
    createTranslator: (_, input) => jsonTranslator(call, input),
  }
}

function jsonTranslator(call: JsonCall, input: TranslatorInput): Translator {
  const { request, raw } = input
  return {
    format: call.format,
    isSameFormat: true,
    media: () => [],
    encode: ({ upstream_model, param_override, patch }) => ({
      body: encodeChatBody({
        ...withModel(request, raw),
        upstream_model,
        is_stream: request.is_stream,
        supports_stream_options: false,
        param_override,
        patch,
      }),
      content_type: 'application/json',
      warnings: [],
      ...(call.accept === undefined ? {} : { accept: call.accept }),
    }),
    streamType: (content_type) => call.stream?.typeFor(content_type, input),
    openStream: () => {
      if (call.stream === undefined) throw new Error(`${call.name} has no stream`)
      return call.stream.open(input)
    },
    readWhole: (bytes, content_type) => {
      const whole = call.readBytes?.(bytes, content_type, input)
      if (whole !== undefined) return whole
      const body = parseJson(bytes.toString())
      const read = call.readAnswer(body, input)
      if (read.kind === 'failed') return read
      if (request.is_stream && call.eventsOf !== undefined) return { ...read, ...asStream(call.eventsOf(body)), warnings: [] }
      const rewritten = call.rewriteAnswer?.(body, input)
      const sent = rewritten === undefined ? bytes : Buffer.from(JSON.stringify(rewritten))
      return { ...read, bytes: sent, content_type: 'application/json', warnings: [] }
    },
    decodeError: decodeUpstreamError,
  }
}

/** Adds the default model to a body that names none. */
function withModel({ body, model }: ModelRequest, raw: Buffer): Pick<PassThroughInput, 'raw' | 'body'> {
  if (body['model'] !== undefined) return { raw, body }
  const whole = { ...body, model }
  return { raw: Buffer.from(JSON.stringify(whole)), body: whole }
}
