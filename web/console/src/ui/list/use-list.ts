import { usePrefetchQuery, useQuery, type QueryFunction, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import { failureText } from '../../lib/report.ts'
import { usePageSize } from './page-size.ts'

/** Result of `queryOptions` for a call. */
type Options<Data> = Omit<UseQueryOptions<Data, Error, Data, readonly unknown[]>, 'queryFn'> & {
  queryFn?: QueryFunction<Data, readonly unknown[]>
}

/** The rows of a list and what is known about the rest. */
export type ListResult<Row> = {
  readonly rows: readonly Row[] | undefined
  /** The rows are all there are: the list shows them page by page and sorts all of them. */
  readonly isWhole?: boolean
  /** Absent where the server does not count: then a full page means that there may be more. */
  readonly total: number | undefined
  readonly isTotalCapped?: boolean | undefined
  /** Remarks of the server about the rows. */
  readonly notes?: readonly string[] | undefined
  readonly error: string | undefined
  /** Rows of another page or filter, shown until the right ones are here. */
  readonly isRefetching: boolean
  readonly isFetching: boolean
  readonly refresh: () => void
  /** Reads the list and what stands above it, where that comes from other calls. */
  readonly refreshAll?: () => void
}

type Page = {
  readonly items: unknown[]
  readonly total: number
  readonly total_is_capped?: boolean | undefined
  readonly warnings?: readonly string[]
}

/** The list shows a failure in place of its rows: no toast besides. */
const INLINE = { inline: true } as const

/** A list that the server pages and counts. The next page is read ahead. */
export function usePagedList<Data extends Page>(
  page: number,
  optionsOf: (page: number, size: number) => Options<Data>,
): ListResult<Data['items'][number]> & { /** The answer, for what a list alone shows. */ readonly data: Data | undefined } {
  const size = usePageSize()
  const query = useQuery({ ...optionsOf(page, size), meta: INLINE })
  const { data } = query
  const hasNext = data !== undefined && !query.isPlaceholderData && page * size < data.total
  usePrefetchQuery({ ...optionsOf(hasNext ? page + 1 : page, size), meta: INLINE })
  return { ...stateOf(query), rows: data?.items, total: data?.total, isTotalCapped: data?.total_is_capped, notes: data?.warnings, data }
}

type Searchable<Row> = {
  readonly page: number
  readonly isFiltered: boolean
  readonly paged: (page: number, size: number) => Options<Row[]>
  readonly matches: Options<Row[]>
  /** Number of entries by which the server pages, where that is not the rows. */
  readonly countOf?: (rows: readonly Row[]) => number
  /** Number of rows of all pages, counted by another call. */
  readonly total?: number | undefined
}

/** A list that the server pages without counting; its search answers all matches, of which one page is shown. */
export function useSearchableList<Row>({ page, isFiltered, paged, matches, countOf, total }: Searchable<Row>): ListResult<Row> {
  const size = usePageSize()
  const all = useQuery({ ...matches, enabled: isFiltered, meta: INLINE })
  const some = useQuery({ ...paged(page, size), enabled: !isFiltered, meta: INLINE })
  const isFull = !isFiltered && !some.isPlaceholderData && some.data !== undefined && (countOf?.(some.data) ?? some.data.length) === size
  usePrefetchQuery({ ...(isFull ? paged(page + 1, size) : paged(page, size)), meta: INLINE })
  if (!isFiltered) return { ...stateOf(some), rows: some.data, total }
  // A list that counts something other than rows stays on one page.
  return { ...stateOf(all), rows: all.data, isWhole: countOf === undefined, total: all.data && (countOf?.(all.data) ?? all.data.length) }
}

function stateOf<Data>(query: UseQueryResult<Data>) {
  return {
    error: query.error === null ? undefined : (failureText(query.error) ?? ''),
    isRefetching: query.isPlaceholderData,
    isFetching: query.isFetching,
    refresh: () => void query.refetch(),
  }
}
