import { textOf as errorTextOf } from '@tollgate/contracts/app-error'
import { isObject, parseJson, type JsonObject } from '../../json.ts'
import { textOf } from '../fields.ts'

/** A client's request for a video, whichever vendor makes it. */
export type VideoRequest = {
  readonly model: string
  readonly prompt: string
  /** Addresses or data URLs; the first one starts the video. */
  readonly images: readonly string[]
  /** Undefined: the vendor's default. */
  readonly seconds: number | undefined
  /** For example `1280x720`; empty: the vendor's default. */
  readonly size: string
  /** Fields of the vendor's own body. */
  readonly metadata: JsonObject
  /** Where the client wants to hear of changes; empty: nowhere. */
  readonly callback_url: string
}

export type ReadVideo =
  | { readonly kind: 'request'; readonly request: VideoRequest }
  | { readonly kind: 'refused'; readonly code: 'invalid_request' | 'invalid_seconds'; readonly message: string }

const MAX_SECONDS = 3600
const MAX_IMAGES = 20
const MAX_ADDRESS = 600

export const CALLBACK_RULE = `callback_url must be an https address of at most ${MAX_ADDRESS} characters`
export const isCallback = (address: string): boolean =>
  address === '' || (address.length <= MAX_ADDRESS && address.startsWith('https://') && URL.canParse(address))

/** Reads the JSON body of `POST /v1/videos` and `POST /v1/video/generations`. */
export function readVideoRequest(body: JsonObject): ReadVideo {
  const refuse = (message: string): ReadVideo => ({ kind: 'refused', code: 'invalid_request', message })
  const [model, prompt] = [textOf(body, 'model'), textOf(body, 'prompt')]
  if (model === '') return refuse(errorTextOf('model.missing', 'en'))
  if (prompt.trim() === '') return refuse('prompt is required')
  const { input_reference: reference } = body
  if (isObject(reference) && reference['file_id'] !== undefined)
    return refuse('input_reference.file_id is not offered by this gateway; send image_url or the image itself')
  const images = imagesOf(body)
  if (images === undefined) return refuse(`images must be at most ${MAX_IMAGES} addresses or data URLs`)
  const given = body['seconds'] ?? body['duration']
  const seconds = given === undefined || given === null || given === '' ? undefined : Number(given)
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_SECONDS))
    return { kind: 'refused', code: 'invalid_seconds', message: `seconds must be a whole number from 1 to ${MAX_SECONDS}` }
  const metadata = metadataOf(body['metadata'])
  const reserved = RESERVED.filter((name) => Object.hasOwn(metadata, name))
  if (reserved.length > 0) return refuse(`metadata must not contain ${reserved.join(', ')}`)
  const callback_url = textOf(body, 'callback_url')
  if (!isCallback(callback_url)) return refuse(CALLBACK_RULE)
  const mode = textOf(body, 'mode')
  return {
    kind: 'request',
    request: {
      model,
      prompt,
      images,
      seconds,
      size: textOf(body, 'size'),
      metadata: { ...(mode === '' ? {} : { mode }), ...metadata },
      callback_url,
    },
  }
}

/** Parameters that the gateway checks, prices or sets itself, by the names that vendors have for them. */
const RESERVED = [
  'model',
  'model_name',
  'req_key',
  'prompt',
  'content',
  'seconds',
  'duration',
  'frames',
  'size',
  'n',
  'callback_url',
  'notify_hook',
]

/** An object, or one written as JSON in the field of a form. */
function metadataOf(given: unknown): JsonObject {
  const value = typeof given === 'string' ? parseJson(given) : given
  return isObject(value) ? value : {}
}

function imagesOf(body: JsonObject): readonly string[] | undefined {
  const listed = body['images'] ?? []
  const all: unknown[] = [body['image'], body['input_reference'], ...(Array.isArray(listed) ? listed : [listed])]
  const given = all.map(addressOf).filter((image) => image !== undefined && image !== null && image !== '')
  const images = given.filter((image) => typeof image === 'string')
  return images.length === given.length && images.length <= MAX_IMAGES ? images : undefined
}

/** OpenAI's clients name an image's address in an object (openai 7.57.0, `input_reference: {image_url}`). */
function addressOf(image: unknown): unknown {
  if (!isObject(image)) return image
  const { image_url: url } = image
  return (isObject(url) ? url['url'] : url) ?? image
}

type Sized = Pick<VideoRequest, 'size'>

/**
 * The shape of a size among those that a vendor has: `16:9` for `1280x720`, and the nearest for sizes of OpenAI that no other vendor has
 * (`1792x1024`). Undefined without a size.
 */
export function aspectRatioOf(request: Sized, known: readonly string[]): string | undefined {
  const stated = statedRatio(request)
  if (stated === undefined || known.includes(stated)) return stated
  const wanted = Math.log(quotientOf(stated))
  const distance = (ratio: string): number => Math.abs(Math.log(quotientOf(ratio)) - wanted)
  return known.toSorted((left, right) => distance(left) - distance(right))[0]
}

function quotientOf(ratio: string): number {
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  return width / height
}

/** The shorter side in pixels; undefined without a size in pixels. */
export function shortSideOf({ size }: Sized): number | undefined {
  const found = /^(\d{2,5})[x*](\d{2,5})$/.exec(size)
  return found === null ? undefined : Math.min(Number(found[1]), Number(found[2]))
}

function statedRatio({ size }: Sized): string | undefined {
  const found = /^(\d{2,5})[x*](\d{2,5})$/.exec(size)
  if (found === null) return /^\d{1,2}:\d{1,2}$/.test(size) ? size : undefined
  const [width, height] = [Number(found[1]), Number(found[2])]
  const divisor = greatestCommonDivisor(width, height)
  return `${width / divisor}:${height / divisor}`
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other)
}
