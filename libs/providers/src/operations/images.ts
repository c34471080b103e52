import { ownValue } from '@tollgate/contracts/values/own-value'
import { ZERO_USAGE, type PricedExtras, type Usage } from '@tollgate/contracts/pricing/quote'
import type { DecodedRequest, ModelRequest } from '../chat/model-request.ts'
import type { ReadAnswer } from '../chat/codec.ts'
import { toRawUsage } from '../chat/answer-facts.ts'
import { countAt, isObject, objectAt, objectsAt, textAt, type JsonObject } from '../json.ts'
import { promptClasses } from '../prompt-classes.ts'
import { decodeUpstreamError } from '../chat/formats/openai-chat/errors.ts'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { createEventUsageReader, type EventReading } from '../calls/event-usage-reader.ts'
import type { Operation } from '../calls/operation.ts'
import { invalid, NOT_AN_OBJECT, nonChatRequest, readModel, readListAnswer } from '../calls/non-chat.ts'
import { jsonCall, type JsonCall } from '../calls/json-call.ts'
import { aliImages } from '../vendor-formats/ali-images/index.ts'
import { aliImageTasks } from '../vendor-formats/ali-images/tasks.ts'
import { cloudflareImages } from '../vendor-formats/cloudflare/images.ts'
import { geminiImages } from '../vendor-formats/gemini-images/index.ts'
import { imagen } from '../vendor-formats/imagen/index.ts'
import { replicateImages } from './replicate-images.ts'
import { withForms } from '../calls/vendor-form.ts'
import type { NamedEvent } from '../calls/whole-as-stream.ts'

/** The model of a body that names none. */
const DEFAULT_MODEL = 'dall-e-3'

/** POST /v1/images/generations: https://platform.openai.com/docs/api-reference/images/create */
export const images: Operation = withForms(
  asOrder(
    jsonCall({
      name: 'images',
      format: 'openai-images',
      readRequest: readImagesRequest,
      readAnswer: readImagesAnswer,
      stream: imageStream('image_generation.completed'),
      eventsOf: imageEvents('image_generation.completed'),
    }),
  ),
  [replicateImages, aliImages, aliImageTasks, cloudflareImages, geminiImages, imagen],
)

/** Pictures are paid by the piece. */
export function asOrder(operation: Operation): Operation {
  return { ...operation, isOrder: true }
}

/** Image streams end with an event that carries the final image and the usage. */
export function imageStream(completed: string): NonNullable<JsonCall['stream']> {
  return {
    typeFor: (content_type) => (content_type.toLowerCase().includes('event-stream') ? 'text/event-stream' : undefined),
    open: ({ count, request }) =>
      createEventUsageReader({ count, read: imageEventReader(completed, request.n), isOfOnePart: ({ type }) => type === ONE_FAILED }),
  }
}

/** The event of one picture in the streams of Volcengine, which end with a single event that carries the usage. */
const ONE_OF_SEVERAL = '.partial_succeeded'
/** The event of one picture that the vendor did not make; the others go on. */
const ONE_FAILED = 'image_generation.partial_failed'

/** Reads the events of `asked` pictures: one event completes each, or one all of them. */
function imageEventReader(completed: string, asked: number) {
  let pictures = 0
  let completions = 0
  return (data: JsonObject): EventReading => {
    const type = textAt(data, 'type') ?? ''
    if (type.endsWith(ONE_OF_SEVERAL)) pictures += 1
    const hasContent = data['b64_json'] !== undefined || type.endsWith(ONE_OF_SEVERAL)
    if (type !== completed) return { hasContent }
    completions += 1
    const delivered = generatedImages(data['usage']) ?? (pictures > 0 ? pictures : completions)
    return {
      hasContent,
      usage: { usage: usageFromImages(data['usage'], delivered) ?? countedImages(delivered), raw: data['usage'] },
      isComplete: true,
      isLast: pictures > 0 || completions >= asked,
    }
  }
}

/** The pictures that the vendor counts: https://www.volcengine.com/docs/82379/1541523 */
function generatedImages(usage: unknown): number | undefined {
  return isObject(usage) && typeof usage['generated_images'] === 'number' ? countAt(usage, 'generated_images') : undefined
}

/** The last events of images that came as a whole: one for each image, the usage in the last one. */
export function imageEvents(completed: string): (body: unknown) => readonly NamedEvent[] {
  return (body) => {
    const { created: created_at, data: _data, usage, ...settings } = isObject(body) ? body : {}
    const images = objectsAt(body, 'data')
    return images.map((image, at) => ({
      type: completed,
      ...(created_at === undefined ? {} : { created_at }),
      ...settings,
      ...image,
      ...(usage === undefined || at < images.length - 1 ? {} : { usage }),
    }))
  }
}

function readImagesRequest(body: unknown): DecodedRequest {
  if (!isObject(body)) return NOT_AN_OBJECT
  const model = readModel(body, DEFAULT_MODEL)
  if (typeof model !== 'string') return model
  const read = readImageFields(body, model)
  return 'kind' in read ? read : { kind: 'ok', request: nonChatRequest(body, read) }
}

const SIZES: Readonly<Record<string, readonly [readonly string[], string]>> = {
  'dall-e': [['256x256', '512x512', '1024x1024'], 'size must be one of 256x256, 512x512, or 1024x1024 for dall-e-2 or dall-e'],
  'dall-e-2': [['256x256', '512x512', '1024x1024'], 'size must be one of 256x256, 512x512, or 1024x1024 for dall-e-2 or dall-e'],
  'dall-e-3': [['1024x1024', '1024x1792', '1792x1024'], 'size must be one of 1024x1024, 1024x1792 or 1792x1024 for dall-e-3'],
}

type Fields = Pick<ModelRequest, 'model' | 'texts' | 'is_stream' | 'n' | 'priced' | 'classes'> & { readonly max_tokens: undefined }

/** The fields that generations and edits share, from a JSON body or a form. */
export function readImageFields(body: JsonObject, model: string): Fields | Extract<DecodedRequest, { kind: 'invalid' }> {
  const { prompt, n, size, quality } = body
  if (prompt === undefined || prompt === null || prompt === '') return invalid('request.field', 'prompt is required')
  if (typeof prompt !== 'string') return invalid('request.field', 'field prompt must be a string')
  const count = n === undefined || n === null ? 1 : n
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1 || count > 128) return invalid('request.field', 'n is invalid')
  if (size !== undefined && size !== null && typeof size !== 'string') return invalid('request.field', 'field size must be a string')
  if (typeof size === 'string' && size.includes('×'))
    return invalid(
      'request.field',
      "size an unexpected error occurred in the parameter, please use 'x' instead of the multiplication sign '×'",
    )
  if (body['output_format'] === 'svg' || isObject(body['svg']))
    return invalid('request.field', 'svg pictures are not offered here: a second model draws them, which has no price')
  const known = ownValue(SIZES, model)
  if (known !== undefined && typeof size === 'string' && size !== '' && !known[0].includes(size)) return invalid('request.field', known[1])
  const most = Math.max(count, sequentialImages(body))
  const image: NonNullable<PricedExtras['image']> = {
    n: most,
    ...(typeof size === 'string' && size !== '' ? { size } : {}),
    ...(typeof quality === 'string' && quality !== '' ? { quality } : {}),
  }
  return {
    model,
    texts: [prompt],
    is_stream: body['stream'] === true || body['stream'] === 'true',
    n: most,
    max_tokens: undefined,
    priced: { image },
    classes: { audio: false, images: true, cache_write: false, image_out: true },
  }
}

/** Seedream's default, and its greatest value. */
const MAX_SEQUENTIAL = 15

/** The pictures that Seedream may draw for one prompt: https://www.volcengine.com/docs/82379/1541523 */
function sequentialImages(body: JsonObject): number {
  if (body['sequential_image_generation'] !== 'auto') return 1
  const stated = countAt(objectAt(body, 'sequential_image_generation_options'), 'max_images')
  return stated === 0 ? MAX_SEQUENTIAL : Math.min(stated, MAX_SEQUENTIAL)
}

/** The number of images, and their tokens if the model reports them. */
export function readImagesAnswer(body: unknown): ReadAnswer {
  const read = readListAnswer(body, 'data')
  if (read.kind === 'failed' || !isObject(body)) return read
  const all: readonly unknown[] = Array.isArray(body['data']) ? body['data'] : []
  const entries = all.filter(isImage).length
  const count = generatedImages(body['usage']) ?? entries
  if (entries === 0 && all.length > 0) return { kind: 'failed', failure: failureOf(all) }
  const usage = usageFromImages(body['usage'], count)
  return { ...read, usage: usage ?? countedImages(count), raw_usage: usage === undefined ? undefined : toRawUsage(body['usage']) }
}

/** The vendor's reason for the first picture that it did not make. */
function failureOf(entries: readonly unknown[]): UpstreamFailure {
  const failed = entries.find((entry) => isObject(entry) && isObject(entry['error']))
  return failed === undefined ? { kind: 'malformed', message: 'the answer has no image' } : decodeUpstreamError(200, failed)
}

/** An entry with an error, or whose address and bytes are empty, is no image. */
function isImage(entry: unknown): boolean {
  if (!isObject(entry) || isObject(entry['error'])) return false
  const named = ['url', 'b64_json'].filter((name) => Object.hasOwn(entry, name)).map((name) => entry[name])
  return named.length === 0 || named.some((value) => value !== null && value !== '')
}

/** `input_tokens` includes text and image parts; the output is an image: https://platform.openai.com/docs/guides/image-generation */
function usageFromImages(raw: unknown, images: number): Usage | undefined {
  const prompt_tokens = countAt(raw, 'input_tokens')
  const completion_tokens = countAt(raw, 'output_tokens')
  if (prompt_tokens === 0 && completion_tokens === 0) return undefined
  const details = objectAt(raw, 'input_tokens_details')
  const cached = objectAt(details, 'cached_tokens_details')
  const text_out = Math.min(countAt(objectAt(raw, 'output_tokens_details'), 'text_tokens'), completion_tokens)
  return {
    ...countedImages(images),
    ...promptClasses({
      prompt: prompt_tokens,
      image: countAt(details, 'image_tokens'),
      cached: countAt(details, 'cached_tokens'),
      cached_image: countAt(cached, 'image_tokens'),
    }),
    text_out,
    image_out: completion_tokens - text_out,
    prompt_tokens,
    completion_tokens,
  }
}

/** Usage of a model that is priced by image. */
function countedImages(images: number): Usage {
  return { ...ZERO_USAGE, images, source: 'upstream' }
}
