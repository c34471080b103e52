import { isObject } from '@tollgate/providers/json'
import type { Explained, RecordedRequest } from './recording.ts'

export type Difference = Omit<Explained, 'why'>

/** Differences between the SDK's request and the gateway's, by place. */
export function differencesOf(sdk: RecordedRequest, ours: RecordedRequest): readonly Difference[] {
  const [sdkUrl, ourUrl] = [new URL(sdk.url), new URL(ours.url)]
  return [
    ...compare('method', sdk.method, ours.method),
    ...compare('address', `${sdkUrl.origin}${sdkUrl.pathname}`, `${ourUrl.origin}${ourUrl.pathname}`),
    ...compare('query', Object.fromEntries(sdkUrl.searchParams), Object.fromEntries(ourUrl.searchParams)),
    ...compare('header', sdk.headers, ours.headers),
    ...compare('body', sdk.body, ours.body),
  ]
}

function compare(at: string, sdk: unknown, ours: unknown): readonly Difference[] {
  if (isObject(sdk) && isObject(ours)) {
    const names = [...new Set([...Object.keys(sdk), ...Object.keys(ours)])]
    return names.flatMap((name) => compare(`${at}.${name}`, sdk[name], ours[name]))
  }
  if (Array.isArray(sdk) && Array.isArray(ours)) {
    const length = Math.max(sdk.length, ours.length)
    return Array.from({ length }, (_, index) => compare(`${at}[${index}]`, sdk[index], ours[index])).flat()
  }
  // Some SDKs write their unset fields as null.
  if (sdk === ours || (sdk === null && ours === undefined)) return []
  return [{ at, ...(sdk === undefined ? {} : { sdk }), ...(ours === undefined ? {} : { ours }) }]
}

/** Differences that nothing explains, each once, and explanations of differences that do not exist. */
export function unexplained(
  differences: readonly Difference[],
  explained: readonly Explained[],
): { readonly unexplained: readonly Difference[]; readonly stale: readonly Explained[] } {
  const known = new Set(explained.map(keyOf))
  const found = new Map(differences.map((difference) => [keyOf(difference), difference]))
  return {
    unexplained: [...found].filter(([key]) => !known.has(key)).map(([, difference]) => difference),
    stale: explained.filter((one) => !found.has(keyOf(one))),
  }
}

const keyOf = ({ at, sdk, ours }: Difference): string => JSON.stringify([at, sdk, ours].map((value) => value ?? '(absent)'))
