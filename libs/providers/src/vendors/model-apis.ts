import { baseName } from '../chat/model-rules.ts'
import type { RequestFacts } from '../chat/model-request.ts'
import type { ApiFormat } from '../calls/api-format.ts'

/** Which of its vendor's formats serve a model, and which serves it best. The first rule of a vendor that fits the model decides. */
export type ModelApis = {
  /** Tested on the model's name in lower case, without the prefix of a reseller. */
  readonly models: RegExp
  /** Formats without these models. */
  readonly lacks?: readonly ApiFormat[]
  /** Formats that refuse function tools unless the request turns reasoning off. */
  readonly refusesTools?: readonly ApiFormat[]
  /** The format for clients of other formats. */
  readonly best: ApiFormat
  /** It is best at the vendor's own address only: other services with these models can lack the format. */
  readonly isOnlyOwn?: true
}

/** Conditions that decide about the format besides the model. */
export type ApiConditions = {
  /** The channel calls the vendor's own address. */
  readonly isOwnAddress: boolean
  /** The channel's setting `preferred_api`. */
  readonly preferred?: unknown
  readonly request?: Pick<RequestFacts, 'has_tools' | 'reasoning_effort'>
}

/** The values of `preferred_api` with their formats. */
const PREFERRED: ReadonlyMap<unknown, ApiFormat> = new Map([
  ['chat', 'openai-chat'],
  ['responses', 'openai-responses'],
])

/** The formats that serve a request, the best one for clients of other formats first. */
export function orderByModel(
  formats: readonly ApiFormat[],
  rules: readonly ModelApis[],
  { model, isOwnAddress, preferred, request }: ApiConditions & { readonly model: string },
): readonly ApiFormat[] {
  const wished = PREFERRED.get(preferred)
  // The operator knows a service that serves these models otherwise.
  if (wished === 'openai-chat') return formats
  const name = baseName(model)
  const rule = rules.find(({ models }) => models.test(name))
  const asksTools = request?.has_tools === true && request.reasoning_effort !== 'none'
  const refusing = [...(rule?.lacks ?? NONE), ...(asksTools ? (rule?.refusesTools ?? NONE) : NONE)]
  const serving = refusing.length === 0 ? formats : formats.filter((format) => !refusing.includes(format))
  const best = wished ?? (rule?.isOnlyOwn === true && !isOwnAddress ? undefined : rule?.best)
  return best === undefined || !serving.includes(best) ? serving : [best, ...serving.filter((format) => format !== best)]
}

const NONE: readonly ApiFormat[] = []
