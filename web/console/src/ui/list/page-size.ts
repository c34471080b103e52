import { storage, useStored } from '../../lib/storage.ts'

/** The page sizes every paged list offers (specification A and B section 9); the first is the default. */
export const PAGE_SIZES = [10, 20, 50, 100] as const

/** The remembered size, for a loader. */
export function storedPageSize(): number {
  return pageSizeOf(storage.get('page-size'))
}

/** The reader's page size, shared by all lists. */
export function usePageSize(): number {
  return pageSizeOf(useStored('page-size'))
}

/** One of the offered sizes; anything else is the default. */
function pageSizeOf(stored: number | undefined): number {
  return PAGE_SIZES.find((size) => size === stored) ?? PAGE_SIZES[0]
}

/** Which rows a page shows and whether there is a next one; without a total a full page means there may be. */
export function rangeOf({ page, size, rows, total }: { page: number; size: number; rows: number; total: number | undefined }): {
  from: number
  to: number
  hasNext: boolean
} {
  const from = (page - 1) * size + 1
  const to = from + rows - 1
  return { from, to, hasNext: total === undefined ? rows >= size : to < total }
}
