import { z } from 'zod'

/** Prices of the token classes, each relative to a prompt text token unless it says otherwise. `ratio` validates one of them. */
export const classRatios = <R extends z.ZodType<number>>(ratio: R) => ({
  completion_ratio: ratio,
  /** A token of the answer that is reasoning; default: `completion_ratio`. */
  reasoning_ratio: ratio,
  /** A cached prompt token. */
  cache_ratio: ratio,
  /** A prompt token written to the cache for five minutes, or for the only duration the vendor offers. */
  cache_creation_ratio: ratio,
  /** A prompt token written to the cache for an hour; default: 1.6 times `cache_creation_ratio`. */
  cache_creation_1h_ratio: ratio,
  image_ratio: ratio,
  /** A cached image token; default: `cache_ratio`. */
  image_cache_ratio: ratio,
  /** A generated image token; default: `completion_ratio`. */
  image_completion_ratio: ratio,
  /** A prompt token of a video; default: 1. */
  video_ratio: ratio,
  audio_ratio: ratio,
  /** A cached audio token; default: `cache_ratio`. */
  audio_cache_ratio: ratio,
  /** A generated audio token, relative to an audio prompt token. */
  audio_completion_ratio: ratio,
})

type ClassRatioName = keyof ReturnType<typeof classRatios>
type OptionalRatios<R extends z.ZodType<number>> = { readonly [Name in ClassRatioName]: z.ZodOptional<R> }

/** The class ratios of a price that states only some of them. */
export function optionalClassRatios<R extends z.ZodType<number>>(ratio: R): OptionalRatios<R> {
  return z.object(classRatios(ratio)).partial().shape
}

/**
 * The factor of a processing tier on every price of a model, or factors by class: `model_ratio` for the input and every class that is
 * left out.
 */
export const tierFactor = <R extends z.ZodType<number>>(ratio: R) =>
  z.union([ratio, z.strictObject({ model_ratio: ratio, ...optionalClassRatios(ratio) })])

/** The fields of a price card; `ratio` is stricter where an operator types the card than where a stored quote is read. */
export const priceCardFields = <R extends z.ZodType<number>>(ratio: R) => ({
  above: z.int().positive(),
  model_ratio: ratio,
  ...optionalClassRatios(ratio),
})

/** Every ratio that prices one request. */
export type Ratios = Readonly<Record<'model_ratio' | ClassRatioName, number>>
