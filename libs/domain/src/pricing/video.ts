import type { PricedVideo } from '@tollgate/contracts/pricing/quote'
import type { VideoUnit, VideoUnits } from '@tollgate/contracts/pricing/video-units'
import { entryNameFor } from './entry-name.ts'

type QuotedVideo = {
  seconds?: number
  per_seconds?: number
  size?: string
  size_ratio?: number
  quality?: string
  quality_ratio?: number
}

const MAX_TEXT = 32
/** The length of a video whose unit has none for requests without one. */
const DEFAULT_SECONDS = 5

/** Length, size and mode of a video, as stored in its quote. Factors of 1 are omitted; a price of a video has no seconds. */
export function quotedVideo(units: VideoUnits, model: string, { seconds, size, mode }: PricedVideo): QuotedVideo {
  const name = entryNameFor(units, model)
  const unit: VideoUnit = name === undefined ? {} : (units[name] ?? {})
  const { per_seconds } = unit
  return {
    ...(per_seconds === undefined ? {} : { seconds: seconds ?? unit.seconds ?? DEFAULT_SECONDS }),
    ...(per_seconds === undefined || per_seconds === 1 ? {} : { per_seconds }),
    ...withFactor(size, unit.sizes, (text, size_ratio) => ({ size: text, ...(size_ratio === undefined ? {} : { size_ratio }) })),
    ...withFactor(mode, unit.modes, (text, quality_ratio) => ({
      quality: text,
      ...(quality_ratio === undefined ? {} : { quality_ratio }),
    })),
  }
}

function withFactor<T extends object>(
  text: string,
  factors: Readonly<Record<string, number>> = {},
  quoted: (text: string, factor: number | undefined) => T,
): T | Record<never, never> {
  if (text === '') return {}
  const factor = Object.hasOwn(factors, text) ? factors[text] : undefined
  return quoted(text.slice(0, MAX_TEXT), factor === 1 ? undefined : factor)
}
