import type { JsonObject } from '../json.ts'

/** The field of a request for images that a vendor which answers once, with at most so many images inline, cannot serve. */
export const inlineImagesObstacle =
  (most: number) =>
  ({ response_format, stream, n }: JsonObject): string | undefined => {
    if (response_format === 'url') return 'response_format'
    if (typeof n === 'number' && n > most) return 'n'
    return stream === true || stream === 'true' ? 'stream' : undefined
  }
