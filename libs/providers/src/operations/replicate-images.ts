import { ZERO_USAGE } from '@tollgate/contracts/quote'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { ModelRequest } from '../chat/model-request.ts'
import { decodeReplicateError, readPrediction } from '../formats/replicate-chat/prediction.ts'
import { parseJson, type JsonObject } from '../json.ts'
import { Warnings } from '../warnings.ts'
import type { Operation, Translator, TranslatorInput } from './operation.ts'

/** Adds vendors of Replicate's predictions to images: https://replicate.com/black-forest-labs/flux-1.1-pro/api */
export function withReplicate(own: Operation): Operation {
  return {
    ...own,
    findObstacle: ({ body }) => {
      const found = obstacleOf(body)
      return found === undefined ? undefined : { field: found, detail: `field ${found} is not possible with the vendors of this model` }
    },
    formatFor: (formats, request) => {
      const same = own.formatFor(formats, request)
      if (same !== undefined || !formats.includes('replicate-images')) return same
      return obstacleOf(request.body) === undefined ? 'replicate-images' : undefined
    },
    createTranslator: (format, input) => (format === 'replicate-images' ? imagesFromReplicate(input) : own.createTranslator(format, input)),
  }
}

/** The field that a prediction cannot serve: images come as files, and not in pieces. */
function obstacleOf({ response_format, stream }: JsonObject): string | undefined {
  if (response_format === 'b64_json') return 'response_format'
  return stream === true || stream === 'true' ? 'stream' : undefined
}

function imagesFromReplicate({ request, created }: TranslatorInput): Translator {
  return {
    format: 'replicate-images',
    isSameFormat: false,
    media: () => [],
    encode: ({ patch, param_override }) => {
      const { body, warnings } = encodeImages(request)
      return {
        body: Buffer.from(JSON.stringify({ ...(patch?.(body) ?? body), ...param_override })),
        content_type: 'application/json',
        warnings,
      }
    },
    streamType: () => undefined,
    openStream: () => {
      throw new Error('images of predictions have no stream')
    },
    readWhole: (bytes) => {
      const read = readPrediction(parseJson(bytes.toString()))
      if (read.kind === 'failed') return { kind: 'failed', failure: withoutBody(read.failure) }
      return {
        kind: 'answer',
        bytes: Buffer.from(JSON.stringify({ created, data: read.output.map((url) => ({ url })) })),
        content_type: 'application/json',
        usage: { ...ZERO_USAGE, images: read.output.length, source: 'upstream' },
        raw_usage: undefined,
        texts: [],
        tool_texts: [],
        warnings: [],
        finish: undefined,
      }
    },
    decodeError: (status, body) => withoutBody(decodeReplicateError(status, body)),
  }
}

const KNOWN = new Set(['model', 'prompt', 'n', 'size', 'response_format', 'stream'])

function encodeImages({ body, n }: ModelRequest): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  const { prompt, size } = body
  const ratio = typeof size === 'string' ? nearestRatio(size) : undefined
  if (typeof size === 'string' && size !== '' && size !== 'auto')
    warnings.add(ratio === undefined ? 'size' : `size: sent as the ratio ${ratio}`)
  for (const field of Object.keys(body)) if (!KNOWN.has(field)) warnings.add(field)
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

const withoutBody = (failure: UpstreamFailure): UpstreamFailure => ({ ...failure, body: undefined })
