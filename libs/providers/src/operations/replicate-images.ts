import type { ModelRequest } from '../chat/model-request.ts'
import { decodeReplicateError, readPrediction } from '../vendor-formats/replicate-chat/prediction.ts'
import type { JsonObject } from '../json.ts'
import { Warnings } from '../warnings.ts'
import { imageObstacle, imagesAnswer } from '../calls/image-files.ts'
import type { VendorForm } from '../calls/vendor-form.ts'

/** Images from Replicate's predictions: https://replicate.com/black-forest-labs/flux-1.1-pro/api */
export const replicateImages: VendorForm = {
  format: 'replicate-images',
  obstacle: imageObstacle,
  encode: ({ request }) => encodeImages(request),
  readAnswer: (answer, { created }) => {
    const read = readPrediction(answer)
    return read.kind === 'failed' ? read : imagesAnswer(read.output, created)
  },
  decodeError: decodeReplicateError,
}

const KNOWN = new Set(['model', 'prompt', 'n', 'size', 'response_format', 'stream'])

function encodeImages({ body, n }: ModelRequest): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  const { prompt, size } = body
  const ratio = typeof size === 'string' ? nearestRatio(size) : undefined
  if (typeof size === 'string' && size !== '' && size !== 'auto')
    warnings.add(ratio === undefined ? 'size' : `size: sent as the ratio ${ratio}`)
  warnings.addOthers(body, KNOWN)
  const input = { prompt, ...(ratio === undefined ? {} : { aspect_ratio: ratio }), ...(n === 1 ? {} : { num_outputs: n }) }
  return { body: { input }, warnings: warnings.entries }
}

const RATIOS = ['1:1', '16:9', '3:2', '2:3', '4:5', '5:4', '9:16', '3:4', '4:3'] as const
const quotient = (ratio: string, separator: string) => {
  const [width, height] = ratio.split(separator).map(Number)
  return (width ?? Number.NaN) / (height ?? Number.NaN)
}

/** Models take a ratio of the sides; of those that they share, the one nearest to the size. */
function nearestRatio(size: string): string | undefined {
  if (!/^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(size)) return undefined
  const wanted = Math.log(quotient(size, 'x'))
  const distance = (ratio: string) => Math.abs(Math.log(quotient(ratio, ':')) - wanted)
  return RATIOS.toSorted((left, right) => distance(left) - distance(right))[0]
}
