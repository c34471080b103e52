import { z } from 'zod'

const Factor = z.number().nonnegative().max(1_000_000)
const Seconds = z.int().min(1).max(3600)

/** Unit of the price of a video of a model, and the factors that change it. */
export const VideoUnit = z.strictObject({
  /** The price is one of this many seconds, begun ones included; absent: of a video, whatever its length. */
  per_seconds: Seconds.optional(),
  /** The length that is sent, and charged, where the client names none. */
  seconds: Seconds.optional(),
  /** Factors by the vendor's mode, such as `pro`. */
  modes: z.record(z.string(), Factor).optional(),
  /** Factors by size or resolution, as the request writes it. */
  sizes: z.record(z.string(), Factor).optional(),
})
export type VideoUnit = z.infer<typeof VideoUnit>

/** Units by model; a name may end in `*`. The longest one that fits counts. */
export const VideoUnits = z.record(z.string(), VideoUnit)
export type VideoUnits = z.infer<typeof VideoUnits>

const LARGE = 1.666667

/**
 * OpenAI prices a second and makes four of them by default: https://developers.openai.com/api/docs/guides/video-generation. Kling sells
 * blocks of five seconds, the default length: https://app.klingai.com/global/dev/document-api.
 */
export const defaultVideoUnits: VideoUnits = {
  'sora-*': { per_seconds: 1, seconds: 4, sizes: { '1792x1024': LARGE, '1024x1792': LARGE } },
  'kling-*': { per_seconds: 5, seconds: 5 },
}
