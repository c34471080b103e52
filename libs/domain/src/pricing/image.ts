import type { PricedExtras } from '@tollgate/contracts/pricing/quote'

/** Price factor by image size: https://platform.openai.com/docs/pricing#image-generation */
const SIZE_RATIOS: Readonly<Record<string, number>> = {
  '256x256': 0.4,
  '512x512': 0.45,
  '1024x1024': 1,
  '1024x1792': 2,
  '1792x1024': 2,
}

type Image = NonNullable<PricedExtras['image']>
type ImageQuote = { size?: string; size_ratio?: number; quality?: string; quality_ratio?: number; count: number }

/** Size, quality and number of images of one call, as stored in a quote with a price per image. Ratios of 1 are omitted. */
export function quotedImage(model: string, { size, quality, n }: Image): ImageQuote {
  const size_ratio = size === undefined || !Object.hasOwn(SIZE_RATIOS, size) ? 1 : (SIZE_RATIOS[size] ?? 1)
  const quality_ratio = model === 'dall-e-3' && quality === 'hd' ? (size_ratio === 2 ? 1.5 : 2) : 1
  return {
    ...(size === undefined ? {} : { size: size.slice(0, 32) }),
    ...(size_ratio === 1 ? {} : { size_ratio }),
    ...(quality === undefined ? {} : { quality: quality.slice(0, 32) }),
    ...(quality_ratio === 1 ? {} : { quality_ratio }),
    count: Math.max(1, Math.trunc(n ?? 1)),
  }
}

type Shape = 'square' | 'portrait' | 'landscape'

/** Tokens of one generated image: https://platform.openai.com/docs/guides/image-generation#cost-and-latency */
const IMAGE_TOKENS: Readonly<Record<string, Readonly<Record<Shape, number>>>> = {
  low: { square: 272, portrait: 408, landscape: 400 },
  medium: { square: 1056, portrait: 1584, landscape: 1568 },
  high: { square: 4160, portrait: 6240, landscape: 6208 },
}
const SHAPES: Readonly<Record<string, Shape>> = { '1024x1024': 'square', '1024x1536': 'portrait', '1536x1024': 'landscape' }
const DEAREST_IMAGE = 6240

/** Most tokens that the images of one call may have, for models that price images by token; an unknown size counts as the largest. */
export function imageOutputTokens({ size, quality, n }: Image): number {
  const tokens = IMAGE_TOKENS[quality ?? '']
  const shape = SHAPES[size ?? '']
  const each = tokens === undefined ? DEAREST_IMAGE : shape === undefined ? Math.max(...Object.values(tokens)) : tokens[shape]
  return each * Math.max(1, Math.trunc(n ?? 1))
}
