import type { JsonObject } from '../../json.ts'
import { textOf } from '../fields.ts'
import { aspectRatioOf, shortSideOf, type VideoRequest } from './video-request.ts'

/** Parts of Google's two ways to make videos: interactions with an API key, and operations of Vertex AI. */

const RATIOS = ['16:9', '9:16']

export const NO_VIDEO = 'the vendor finished without a video'

/** A resolution by the most pixels of the shorter side that it is for, in rising order. */
type Resolutions = readonly (readonly [most: number, name: string])[]

type Shape = { readonly aspect_ratio: string | undefined; readonly resolution: string | undefined }

/** The shape that a request asks for; undefined parts are the vendor's to choose. */
export function shapeFor(request: VideoRequest, resolutions: Resolutions): Shape {
  const side = shortSideOf(request)
  const stated = textOf(request.metadata, 'resolution') || undefined
  const fitting = resolutions.find(([most]) => side !== undefined && side <= most)?.[1] ?? '4k'
  return { aspect_ratio: aspectRatioOf(request, RATIOS), resolution: side === undefined ? stated : fitting }
}

/** Type and data of `data:image/png;base64,…`; undefined: it is an address. */
export function inlineImage(image: string): { readonly type: string; readonly data: string } | undefined {
  const [, type, data] = /^data:([\w./+-]+);base64,(.*)$/s.exec(image) ?? []
  return type === undefined || data === undefined ? undefined : { type, data }
}

/** `{code, message, status}` */
export const googleError = (error: JsonObject): { readonly code: string; readonly message: string } => ({
  code: textOf(error, 'status') || textOf(error, 'code'),
  message: textOf(error, 'message'),
})
