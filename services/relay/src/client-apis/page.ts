import { AppError } from '@tollgate/contracts/app-error'
import type { RequestContext } from '../request/context.ts'
import { queryOf } from '../transport/query.ts'

export type Page = { readonly after?: string; readonly limit: number; readonly order: 'asc' | 'desc' }

const MAX_ID = 80

/** `after`, `limit` and `order` of OpenAI's lists. Throws AppError for others than the list takes. */
export function readPage({ incoming }: RequestContext, { max, usual }: { readonly max: number; readonly usual: number }): Page {
  const query = new URLSearchParams(queryOf(incoming.url ?? ''))
  const [after, limit, order] = [query.get('after') ?? '', query.get('limit') ?? String(usual), query.get('order') ?? 'desc']
  const count = Number(limit)
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new AppError('request.field', { detail: `limit must be a whole number from 1 to ${max}` })
  if (order !== 'asc' && order !== 'desc') throw new AppError('request.field', { detail: 'order must be asc or desc' })
  if (after.length > MAX_ID) throw new AppError('request.field', { detail: 'after must be an id of the list' })
  return { ...(after === '' ? {} : { after }), limit: count, order }
}

/** A page in OpenAI's shape. */
export function renderPage<T extends { readonly id?: unknown }>(data: readonly T[], has_more: boolean): object {
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more }
}
