import type { PricedVideo } from '@tollgate/contracts/quote'
import type { VideoRequest } from './video-request.ts'

const DEFAULT_SECONDS = 5
/** What a large picture costs more. */
const SIZE_FACTORS: Readonly<Record<string, number>> = { '1792x1024': 1.666667, '1024x1792': 1.666667 }

/** OpenAI's models, whose price is one of a second. The price of every other model is one of a video. */
const PER_SECOND = /^sora-/

/** What the price of a video depends on; undefined: nothing but its model. Without a length, it is priced with five seconds. */
export function pricedVideo({
  model,
  seconds = DEFAULT_SECONDS,
  size,
}: Pick<VideoRequest, 'model' | 'seconds' | 'size'>): PricedVideo | undefined {
  return PER_SECOND.test(model) ? { seconds, size, size_ratio: SIZE_FACTORS[size] ?? 1 } : undefined
}
