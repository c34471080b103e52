import type { ModelRequest } from '../../chat/model-request.ts'
import type { JsonObject } from '../../json.ts'
import { Warnings } from '../../warnings.ts'
import { decodeFlatError } from '../text-only.ts'

/** Common parts of both of DashScope's image APIs. */

const KNOWN = new Set([
  'model',
  'prompt',
  'n',
  'size',
  'response_format',
  'stream',
  'negative_prompt',
  'seed',
  'prompt_extend',
  'watermark',
])
/** DashScope's own names, passed on. */
const OWN = ['negative_prompt', 'seed', 'prompt_extend', 'watermark']

/** `parameters` of a request for images. */
export function readParameters({ body, n }: ModelRequest): { readonly parameters: JsonObject; readonly warnings: readonly string[] } {
  const warnings = new Warnings()
  const { size } = body
  const pixels = typeof size === 'string' && /^\d+[x*]\d+$/.test(size) ? size.replace('x', '*') : undefined
  if (pixels === undefined && size !== undefined && size !== null && size !== '' && size !== 'auto') warnings.add('size')
  warnings.addOthers(body, KNOWN)
  const own = Object.fromEntries(OWN.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]))
  return { parameters: { ...own, n, ...(pixels === undefined ? {} : { size: pixels }) }, warnings: warnings.entries }
}

/** https://help.aliyun.com/zh/model-studio/error-code */
const STATUSES = {
  InvalidApiKey: 401,
  AccessDenied: 403,
  Arrearage: 402,
  ModelNotFound: 404,
  Throttling: 429,
  'Throttling.RateQuota': 429,
  'Throttling.AllocationQuota': 429,
  DataInspectionFailed: 400,
  InvalidParameter: 400,
}

export function decodeAliError(status: number, body: unknown) {
  return decodeFlatError(status, body, { code: 'code', message: 'message', statuses: STATUSES })
}
