import { AppError } from '@tollgate/contracts/app-error'
import { queryOf } from '../transport/query.ts'

/** A part of a list, and whether there is more behind it. */
export type ListPage = { readonly names: readonly string[]; readonly hasMore: boolean }

type Window = {
  /** The parameter with the most entries of a page; absent in a query: the whole list. */
  readonly size: string
  readonly max: number
  /** Parameters with the name that the page follows, or precedes. */
  readonly after: string
  readonly before?: string
}

/** The page of a list that a query wants; throws for a size that is no number above 0. A name that is not in the list begins it again. */
export function pageOf(url: string, names: readonly string[], { size, max, after, before }: Window): ListPage {
  const parameters = new URLSearchParams(queryOf(url))
  const unique = [...new Set(names)]
  const start = unique.indexOf(parameters.get(after) ?? '') + 1
  const end = before === undefined ? -1 : unique.indexOf(parameters.get(before) ?? '')
  const rest = unique.slice(start, end === -1 ? undefined : end)
  const text = parameters.get(size)
  if (text === null || text === '') return { names: rest, hasMore: false }
  const wanted = Number(text)
  if (!Number.isInteger(wanted) || wanted < 1) throw new AppError('request.field', { detail: `${size} must be an integer above 0` })
  const most = Math.min(wanted, max)
  const shown = end === -1 ? rest.slice(0, most) : rest.slice(-most)
  return { names: shown, hasMore: rest.length > shown.length }
}
