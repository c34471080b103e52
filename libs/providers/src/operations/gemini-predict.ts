import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import { asConverted } from '../calls/client-form.ts'
import { NOT_AN_OBJECT, invalid } from '../calls/non-chat.ts'
import type { Operation, Translator, TranslatorInput } from '../calls/operation.ts'
import { gemini } from '../chat/formats/gemini/index.ts'
import type { DecodedRequest, ModelRequest, RouteFacts } from '../chat/model-request.ts'
import { isObject, objectAt, objectsAt, parseJson, textAt, type JsonObject } from '../json.ts'
import { imagen, imagesIn } from '../vendor-formats/imagen/index.ts'
import { images } from './images.ts'
import { asksForEmbeddings, formatForEmbeddings, readPredictEmbeddings, translateEmbeddings } from './predict-embeddings.ts'

/**
 * `predict`: `models.generateImages` of Google's SDK, for Imagen itself and by way of OpenAI's pictures for others; and embeddings.
 * https://ai.google.dev/gemini-api/docs/imagen (read 2026-11-28)
 */
export const geminiPredict: Operation = {
  name: 'gemini-predict',
  body: 'json',
  isOrder: true,
  readRequest: readPredict,
  findObstacle: ({ body }) => {
    const detail = asksForEmbeddings(body) ? undefined : findOwn(body)
    return detail === undefined ? undefined : { detail: `${detail}: only Imagen has it` }
  },
  formatFor: (formats, request) => {
    if (asksForEmbeddings(request.body)) return formatForEmbeddings(formats, request)
    if (formats.includes(imagen.format)) return imagen.format
    return findOwn(request.body) === undefined ? images.formatFor(formats, asImages(request)) : undefined
  },
  createTranslator: (format, input) => {
    if (asksForEmbeddings(input.request.body)) return translateEmbeddings(format, input)
    return format === imagen.format ? passOn(input) : convert(format, input)
  },
}

/** Number of a request that states none. */
const USUAL_SAMPLES = 4
const MAX_SAMPLES = 8

function readPredict(body: unknown, { model }: RouteFacts): DecodedRequest {
  if (!isObject(body)) return NOT_AN_OBJECT
  if (asksForEmbeddings(body)) return readPredictEmbeddings(body, model)
  const instances = objectsAt(body, 'instances')
  const [instance] = instances
  if (instance === undefined || instances.length > 1) return invalid('request.field', 'instances: must be a list of one')
  const { sampleCount = USUAL_SAMPLES } = objectAt(body, 'parameters')
  if (typeof sampleCount !== 'number' || !Number.isInteger(sampleCount) || sampleCount < 1 || sampleCount > MAX_SAMPLES)
    return invalid('request.field', `parameters.sampleCount: must be a whole number from 1 to ${MAX_SAMPLES}`)
  const read = images.readRequest({ model, prompt: textAt(instance, 'prompt') ?? ' ', n: sampleCount }, {})
  return read.kind === 'ok' ? { kind: 'ok', request: { ...read.request, body, is_stream: false } } : read
}

/** Parameters that a conversion keeps. */
const KEPT: readonly string[] = ['sampleCount', 'aspectRatio']
/** And those that it may leave out, with a warning. */
const OPTIONAL: readonly string[] = ['personGeneration', 'safetySetting', 'includeRaiReason', 'language', 'addWatermark']

/** A field that OpenAI's pictures do not have. */
function findOwn(body: JsonObject): string | undefined {
  const [instance = {}] = objectsAt(body, 'instances')
  const ofInstance = Object.keys(instance).find((name) => name !== 'prompt')
  if (ofInstance !== undefined) return `instances[0].${ofInstance}`
  const ofParameters = Object.keys(objectAt(body, 'parameters')).find((name) => !KEPT.includes(name) && !OPTIONAL.includes(name))
  return ofParameters === undefined ? undefined : `parameters.${ofParameters}`
}

const SIZES: Readonly<Record<string, string>> = { '16:9': '1536x1024', '4:3': '1536x1024', '9:16': '1024x1536', '3:4': '1024x1536' }
/** They answer with bytes and refuse to be told so. */
const ALWAYS_BYTES = /^(?:chatgpt|gpt)-image/

/** The same request of OpenAI's. */
function asImages(request: ModelRequest): ModelRequest {
  const { body, model, n } = request
  const parameters = objectAt(body, 'parameters')
  const size = SIZES[textAt(parameters, 'aspectRatio') ?? '']
  const [instance] = objectsAt(body, 'instances')
  const own = {
    model,
    prompt: textAt(instance, 'prompt') ?? '',
    n,
    ...(size === undefined ? {} : { size }),
    ...(ALWAYS_BYTES.test(model) ? {} : { response_format: 'b64_json' }),
  }
  return { ...request, body: own }
}

const noStream = {
  media: () => [],
  streamType: () => undefined,
  openStream: () => {
    throw new Error('predictions have no stream')
  },
} as const satisfies Partial<Translator>

function passOn({ request, raw }: TranslatorInput): Translator {
  return {
    ...noStream,
    format: imagen.format,
    isSameFormat: true,
    encode: ({ param_override, patch }) => {
      const patched = patch?.(request.body) ?? request.body
      const isSame = patched === request.body && Object.keys(param_override).length === 0
      return {
        body: isSame ? raw : Buffer.from(JSON.stringify({ ...patched, ...param_override })),
        content_type: 'application/json',
        warnings: [],
      }
    },
    readWhole: (bytes) => {
      const read = imagesIn(parseJson(bytes.toString()))
      if (read.kind === 'failed') return read
      return { ...NO_TEXT, usage: { ...ZERO_USAGE, images: read.list.length, source: 'upstream' }, bytes }
    },
    decodeError: (status, body) => gemini.vendor.decodeError(status, body),
  }
}

const NO_TEXT = {
  kind: 'answer',
  texts: [],
  tool_texts: [],
  raw_usage: undefined,
  finish: undefined,
  content_type: 'application/json',
  warnings: [],
} as const

function convert(format: Translator['format'], input: TranslatorInput): Translator {
  const request = asImages(input.request)
  const inner = images.createTranslator(format, { ...input, request, raw: Buffer.from(JSON.stringify(request.body)) })
  const warnings = Object.keys(objectAt(input.request.body, 'parameters')).filter((name) => !KEPT.includes(name))
  return asConverted(inner, { warnings, write: writePredictions })
}

function writePredictions(answer: JsonObject): JsonObject {
  const mimeType = `image/${textAt(answer, 'output_format') ?? 'png'}`
  const predictions = objectsAt(answer, 'data').flatMap((one) => {
    const bytesBase64Encoded = textAt(one, 'b64_json')
    return bytesBase64Encoded === undefined ? [] : [{ bytesBase64Encoded, mimeType }]
  })
  return { predictions }
}
