import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { call, keyOf } from '../../lib/api.ts'

/** One page of own tokens; the server counts pages from 0. */
export const tokenPage = (page: number, size: number) =>
  queryOptions({
    queryKey: keyOf(tokens.list, page, size),
    queryFn: ({ signal }) => call(tokens.list, { query: { p: page - 1, size }, signal }),
    placeholderData: keepPreviousData,
  })
