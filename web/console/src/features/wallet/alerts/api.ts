import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { self } from '@tollgate/contracts/resources/self'
import { spendAlerts, type SpendAlertChange } from '@tollgate/contracts/resources/spend-alerts'
import { tokens } from '@tollgate/contracts/resources/tokens'
import { call, keyOf } from '../../../lib/api.ts'
import { refresh } from '../../../lib/query-client.ts'

/** As many as the server answers; older tokens are not offered. */
const OFFERED_TOKENS = 100

export const ownAlerts = queryOptions({
  queryKey: keyOf(spendAlerts.list),
  queryFn: ({ signal }) => call(spendAlerts.list, { signal }),
  meta: { quiet: true },
})

export const offeredTokens = queryOptions({
  queryKey: keyOf(tokens.list, 'alerts'),
  queryFn: ({ signal }) => call(tokens.list, { query: { p: 0, size: OFFERED_TOKENS }, signal }),
})

/** Changes to the own alerts, and whether the weekly report is wanted. */
export function useAlertChanges() {
  const client = useQueryClient()
  const onSuccess = () => refresh(client, spendAlerts.list)
  return {
    save: useMutation({ mutationFn: (body: SpendAlertChange) => call(spendAlerts.save, { body }), onSuccess, meta: { quiet: true } }),
    remove: useMutation({ mutationFn: (id: number) => call(spendAlerts.remove, { params: { id } }), onSuccess }),
    report: useMutation({
      mutationFn: (weekly_report: boolean) => call(self.updateSetting, { body: { weekly_report } }),
      onSuccess: () => refresh(client, self.get),
    }),
  }
}
