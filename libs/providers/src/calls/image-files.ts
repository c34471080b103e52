import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import type { JsonObject } from '../json.ts'
import type { FormAnswer } from './vendor-form.ts'

/** The field that a vendor cannot serve whose images come as files, and not in pieces. */
export function imageObstacle({ response_format, stream }: JsonObject): string | undefined {
  if (response_format === 'b64_json') return 'response_format'
  return stream === true || stream === 'true' ? 'stream' : undefined
}

/** The answer to a client from the addresses of image files. */
export function imagesAnswer(urls: readonly string[], created: number): FormAnswer {
  return {
    kind: 'answer',
    body: { created, data: urls.map((url) => ({ url })) },
    usage: { ...ZERO_USAGE, images: urls.length, source: 'upstream' },
    raw_usage: undefined,
  }
}
