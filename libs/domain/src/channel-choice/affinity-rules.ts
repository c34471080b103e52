import type { AffinityRule } from '@tollgate/contracts/channels/affinity-rules'
import { readAt } from '../param-override/path.ts'

type Asked = { readonly model: string; readonly path: string }
type Named = { readonly body: Readonly<Record<string, unknown>>; readonly headers: Readonly<Record<string, string>> }

/** The first rule for the model and path. */
export function findAffinityRule(rules: readonly AffinityRule[], { model, path }: Asked): AffinityRule | undefined {
  return rules.find((rule) => matches(rule.model, model) && matches(rule.path, path))
}

/** The conversation's name by the rule's sources, in their order; undefined: the request has none of them. */
export function nameByRule({ keys }: AffinityRule, { body, headers }: Named): string | undefined {
  for (const key of keys) {
    const source = key.slice(key.indexOf(':') + 1)
    const value = key.startsWith('header:') ? headers[source.toLowerCase()] : textAt(body, source.split('.'))
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

/** Names of the headers, in lower case, that rules may ask for. */
export function headersOfRules(rules: readonly AffinityRule[]): string[] {
  const sources = rules.flatMap(({ keys }) => keys.filter((key) => key.startsWith('header:')))
  return [...new Set(sources.map((key) => key.slice('header:'.length).toLowerCase()))]
}

function textAt(body: unknown, path: readonly string[]): string | undefined {
  const value = readAt(body, path)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** True if the text has the parts of the pattern in their order, from its beginning to its end. Takes linear time. */
function matches(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined) return true
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
