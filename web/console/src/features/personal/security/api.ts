import { queryOptions } from '@tanstack/react-query'
import { sessions } from '@tollgate/contracts/resources/sessions'
import { twoFactor } from '@tollgate/contracts/resources/two-factor'
import { call, keyOf } from '../../../lib/api.ts'

export const twoFactorState = queryOptions({
  queryKey: keyOf(twoFactor.get),
  queryFn: ({ signal }) => call(twoFactor.get, { signal }),
  meta: { quiet: true },
})

export const ownSessions = queryOptions({
  queryKey: keyOf(sessions.list),
  queryFn: ({ signal }) => call(sessions.list, { signal }),
  meta: { quiet: true },
})
