type Vendor = {
  readonly type: number
  /** Without a slash at its end. */
  readonly base_url: string
  readonly key: string
}
type Call = { readonly url: string; readonly headers: Readonly<Record<string, string>> }

const ANTHROPIC = 14
const ALI = 17
const GEMINI = 24

/** Paths of vendors whose list is elsewhere than at /v1/models. */
const PATHS: Readonly<Record<number, string>> = { [GEMINI]: '/v1beta/openai/models', [ALI]: '/compatible-mode/v1/models' }

/** The call that lists a vendor's models. Anthropic: https://docs.anthropic.com/en/api/models-list */
export function toModelListCall({ type, base_url, key }: Vendor): Call {
  const url = `${base_url}${PATHS[type] ?? '/v1/models'}`
  const accept = { accept: 'application/json' }
  if (type === ANTHROPIC) return { url: `${url}?limit=1000`, headers: { ...accept, 'x-api-key': key, 'anthropic-version': '2023-06-01' } }
  return { url, headers: { ...accept, authorization: `Bearer ${key}` } }
}

export type ModelList =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'malformed'; readonly what: string }

/** The names in a vendor's list, each once. */
export function parseModelList(type: number, text: string): ModelList {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { kind: 'malformed', what: 'JSON' }
  }
  const list: unknown = typeof parsed === 'object' && parsed !== null && 'data' in parsed ? parsed.data : undefined
  if (!Array.isArray(list)) return { kind: 'malformed', what: 'data' }
  const names = list.flatMap((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string' ? [entry.id] : [],
  )
  return { kind: 'names', names: [...new Set(type === GEMINI ? names.map((name) => name.replace(/^models\//, '')) : names)] }
}
