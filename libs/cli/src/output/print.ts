import { stringify } from 'yaml'

export const FORMATS = ['table', 'json', 'yaml'] as const
export type Format = (typeof FORMATS)[number]

/** Fields that hold a secret: API keys, vendors' keys, access tokens, passwords. */
const SECRET = /^(key|access_token|password|secret|webhook_secret)$/

/** Prints data in the chosen form: the table for people, or all of it for programs. */
export function print(format: Format, data: unknown, table: () => string): void {
  process.stdout.write(`${format === 'table' ? table() : render(format, data)}\n`)
}

export function render(format: Exclude<Format, 'table'>, data: unknown): string {
  const shown = withoutSecrets(data)
  return format === 'json' ? JSON.stringify(shown, null, 2) : stringify(shown).trimEnd()
}

/** The same data with the first four characters of each secret. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  // An option is a key and a value, and its key is a name.
  const isPair = 'value' in value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isSecret = SECRET.test(name) && !isPair && typeof inner === 'string' && inner !== ''
      return [name, isSecret ? `${inner.slice(0, 4)}…` : withoutSecrets(inner)]
    }),
  )
}
