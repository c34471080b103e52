import { copiedHeader, mayCopyClientHeader } from '@tollgate/contracts/channels/credential-names'
import { isObject } from '../json.ts'

/** Headers that the gateway controls. */
const FIXED = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'accept-encoding'])

type Sources = { readonly key: string; readonly client: (name: string) => string }

/**
 * A channel's header overrides (setting `header_override`): values may contain `{api_key}` or be exactly `{client_header:<name>}`.
 * Headers that the client did not send, the client's credentials and values with line breaks are omitted.
 */
export function overriddenHeaders(override: unknown, { key, client }: Sources): Record<string, string> {
  if (!isObject(override)) return {}
  const headers: Record<string, string> = {}
  for (const [given, value] of Object.entries(override)) {
    const name = given.trim().toLowerCase()
    if (typeof value !== 'string' || FIXED.has(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) continue
    const copied = copiedHeader(value)
    const text = copied === undefined ? value.replaceAll('{api_key}', key) : copyOf(copied, client)
    if (text !== '' && !/[\r\n\0]/.test(text)) headers[name] = text
  }
  return headers
}

/** The control plane refuses such overrides too; this also covers data that was imported into the database. */
function copyOf(header: string, client: Sources['client']): string {
  return mayCopyClientHeader(header) ? client(header) : ''
}

/** Option `claude.model_headers_settings` for one model: its values are merged with the present ones, without duplicates. */
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
