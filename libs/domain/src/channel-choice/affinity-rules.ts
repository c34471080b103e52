import type { AffinityRule } from '@tollgate/contracts/channels/affinity-rules'
import { readAt } from '../param-override/path.ts'
import { matchesWildcard } from '../wildcard.ts'

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

const matches = (pattern: string | undefined, text: string): boolean => pattern === undefined || matchesWildcard(pattern, text)
