import type { PageQuery } from '@tollgate/contracts/values/common-schemas'

const PAGE_DEFAULT = 10
const PAGE_MAX = 100

export type Paging = { readonly page: number; readonly page_size: number; readonly limit: number; readonly offset: number }

/** The page that a list with pages from 1 was asked for; existing consoles send 0 first. */
export function pagingOf({ p, page_size: asked }: PageQuery): Paging {
  const page = Math.max(1, p)
  const page_size = asked <= 0 ? PAGE_DEFAULT : Math.min(asked, PAGE_MAX)
  return { page, page_size, limit: page_size, offset: Math.min((page - 1) * page_size, Number.MAX_SAFE_INTEGER) }
}

/** Pages of a list by its key: each is read after the last row of the page before, until one is not full. */
export async function* pagesAfter<Row>(
  size: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined
  for (;;) {
    const rows = await read(last)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    last = rows.at(-1)
  }
}
