import { useQueries, useQuery, useQueryClient, type QueryClient, type QueryFunction, type UseQueryResult } from '@tanstack/react-query'
import { failureText } from '../../lib/report.ts'
import { usePageSize } from './page-size.ts'
import type { ListResult } from './use-list.ts'

/** Rows of a page of the server; its size is fixed. */
export const SERVER_PAGE = 10
const FOLLOW_EVERY_MS = 3_000

type Options<Row> = {
  readonly queryKey: readonly unknown[]
  readonly queryFn: QueryFunction<Row[], readonly unknown[]>
}

type Collected<Row> = {
  /** From 1. */
  readonly page: number
  readonly idOf: (row: Row) => number
  /** A page of the server, from 0. */
  readonly serverPage: (page: number) => Options<Row>
  /** The row still changes. */
  readonly isOpen: (row: Row) => boolean
  /** Reads rows again; while some are open, only these are asked for. */
  readonly byIds: (ids: readonly number[]) => Options<Row>
}

/**
 * A list that the server pages by ten without counting. A page of the reader collects as many of them as it needs, one after the other;
 * none is read ahead. Open rows are followed.
 */
export function useCollectedList<Row>({ page, idOf, serverPage, isOpen, byIds }: Collected<Row>): ListResult<Row> {
  const size = usePageSize()
  const client = useQueryClient()
  const first = ((page - 1) * size) / SERVER_PAGE
  const pages = Array.from({ length: size / SERVER_PAGE }, (_page, index) => serverPage(first + index))
  const queries = useQueries({
    queries: pages.map((options, index) => ({
      ...options,
      enabled: index === 0 || isFull(client, pages[index - 1]),
      meta: { inline: true },
    })),
  })
  const loaded = queries.flatMap(({ data }) => (data === undefined ? [] : [data]))
  const rows = loaded.length === 0 ? undefined : withoutRepeats(loaded.flat(), idOf)
  useFollowing({ client, pages, idOf, byIds, open: (rows ?? []).filter(isOpen).map(idOf) })
  const last = loaded.at(-1)
  const isEnd = last !== undefined && last.length < SERVER_PAGE
  return {
    ...stateOf(queries),
    rows,
    total: isEnd ? (first + loaded.length - 1) * SERVER_PAGE + last.length : undefined,
  }
}

function isFull<Row>(client: QueryClient, options: Options<Row> | undefined): boolean {
  return options !== undefined && client.getQueryData<Row[]>(options.queryKey)?.length === SERVER_PAGE
}

/** A new row moves the others, so that the next page of the server repeats one. */
function withoutRepeats<Row>(rows: readonly Row[], idOf: (row: Row) => number): Row[] {
  return [...new Map(rows.map((row) => [idOf(row), row])).values()]
}

type Following<Row> = Pick<Collected<Row>, 'idOf' | 'byIds'> & {
  readonly client: QueryClient
  readonly pages: readonly Options<Row>[]
  readonly open: readonly number[]
}

/** Asks for the open rows every few seconds and puts what changed into the pages. */
function useFollowing<Row>({ client, pages, open, idOf, byIds }: Following<Row>): void {
  const options = byIds(open)
  useQuery({
    queryKey: options.queryKey,
    queryFn: async (context) => {
      const fresh = new Map((await options.queryFn(context)).map((row) => [idOf(row), row]))
      for (const { queryKey } of pages) client.setQueryData<Row[]>(queryKey, (rows) => rows?.map((row) => fresh.get(idOf(row)) ?? row))
      return fresh.size
    },
    enabled: open.length > 0,
    // The pages have just been read.
    initialData: 0,
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: FOLLOW_EVERY_MS,
    meta: { quiet: true },
  })
}

function stateOf(queries: readonly UseQueryResult<unknown>[]) {
  const failed = queries.find(({ error }) => error !== null)
  return {
    error: failed === undefined ? undefined : (failureText(failed.error) ?? ''),
    isRefetching: false,
    isFetching: queries.some(({ isFetching }) => isFetching),
    refresh: () => {
      for (const query of queries) if (query.isFetched) void query.refetch()
    },
  }
}
