import { AppError } from '@tollgate/contracts/app-error'

/** The query with its `?`, or empty. */
export function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at)
}

/**
 * The query for the vendor, with its `?`: only the named parameters. All others, credentials included, stay here, because a vendor may
 * read one that changes what its answer costs or reports.
 */
export function forwardedQuery(url: string, names: ReadonlySet<string>): string {
  const query = queryOf(url)
  if (query.length <= 1) return ''
  const kept = new URLSearchParams([...new URLSearchParams(query)].filter(([name]) => names.has(name)))
  return kept.size === 0 ? '' : `?${kept.toString()}`
}

/**
 * Google's parameters that leave fields out of the answer or wrap it: https://cloud.google.com/apis/docs/system-parameters. A client
 * that sends one expects another answer than it would get.
 */
const REFUSED = ['fields', '$fields', 'callback', '$callback'] as const

/** Refuses a query that asks for an answer without its usage. */
export function refuseQuery(url = ''): void {
  if (!url.includes('?')) return
  const parameters = new URLSearchParams(queryOf(url))
  const refused = REFUSED.find((name) => parameters.has(name))
  if (refused !== undefined) throw new AppError('request.field', { detail: `the query parameter ${refused} is not supported` })
}
