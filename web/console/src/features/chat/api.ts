import { queryOptions } from '@tanstack/react-query'
import { TokenStatus } from '@tollgate/contracts/enums'
import { tokens, type Token } from '@tollgate/contracts/resources/tokens'
import { call, keyOf } from '../../lib/api.ts'

/** The first enabled token of the caller; null without one. */
export const firstEnabledToken = queryOptions({
  queryKey: keyOf(tokens.list, 'first-enabled'),
  queryFn: async ({ signal }): Promise<Token | null> => {
    const rows = await call(tokens.list, { query: { p: 0, size: 100 }, signal })
    return rows.find(({ status }) => status === TokenStatus.enabled) ?? null
  },
  staleTime: 0,
})
