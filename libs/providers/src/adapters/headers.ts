import { isObject } from '../json.ts'

const PLACE = '{client_header:'
/** Framing and the connection are ours. */
const FIXED = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'accept-encoding'])

type Sources = { readonly key: string; readonly client: (name: string) => string }

/**
 * A channel's header overrides (setting `header_override`): values may hold `{api_key}` or be exactly `{client_header:<name>}`.
 * What the client did not send is left out; so is what could break out of its line.
 */
export function overriddenHeaders(override: unknown, { key, client }: Sources): Record<string, string> {
  if (!isObject(override)) return {}
  const headers: Record<string, string> = {}
  for (const [given, value] of Object.entries(override)) {
    const name = given.trim().toLowerCase()
    if (typeof value !== 'string' || FIXED.has(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) continue
    const text =
      value.startsWith(PLACE) && value.endsWith('}')
        ? client(value.slice(PLACE.length, -1).toLowerCase())
        : value.replaceAll('{api_key}', key)
    if (text !== '' && !/[\r\n\0]/.test(text)) headers[name] = text
  }
  return headers
}

/** Option `claude.model_headers_settings` for one model: several values and what is there already join to one list without doubles. */
export function joinedHeaders(
  settings: Readonly<Record<string, readonly string[]>>,
  present: Readonly<Record<string, string>>,
): Record<string, string> {
  const split = (text: string) => text.split(',').map((part) => part.trim())
  return Object.fromEntries(
    Object.entries(settings).map(([given, values]) => {
      const name = given.toLowerCase()
      const all = [...split(present[name] ?? ''), ...values.flatMap(split)].filter((part) => part !== '')
      return [name, [...new Set(all)].join(',')]
    }),
  )
}
