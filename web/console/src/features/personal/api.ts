import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { audit } from '@tollgate/contracts/resources/audit'
import { csvExports } from '@tollgate/contracts/resources/exports'
import { deliveries } from '@tollgate/contracts/resources/deliveries'
import { self, type SelfChange, type SettingChange } from '@tollgate/contracts/resources/self'
import { call, callForFile, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

export const inviteCode = queryOptions({
  queryKey: keyOf(self.inviteCode),
  queryFn: ({ signal }) => call(self.inviteCode, { signal }),
  staleTime: Infinity,
})

export const OWN_AUDIT_PAGE = 10
const REREAD_MS = 3_000

export const ownAudit = (page: number) =>
  queryOptions({
    queryKey: keyOf(audit.listOwn, page),
    queryFn: ({ signal }) => call(audit.listOwn, { query: { p: page, page_size: OWN_AUDIT_PAGE }, signal }),
  })

/** The audit log of the chosen organisation as a file. */
export const auditFile = (format: 'csv' | 'jsonl') => callForFile(csvExports.ownAudit, { query: { format } })

const OWN_NOTICES_PAGE = 5

export const ownNotices = queryOptions({
  queryKey: keyOf(deliveries.listOwn),
  queryFn: ({ signal }) => call(deliveries.listOwn, { query: { p: 1, page_size: OWN_NOTICES_PAGE }, signal }),
  // Until it is known what became of the latest.
  refetchInterval: ({ state }) => (state.data?.items.some((one) => one.state === 'waiting') === true ? REREAD_MS : false),
  meta: { quiet: true },
})

/** Changes of the own account; dialogs show a refusal themselves. */
export function useOwnChanges() {
  const client = useQueryClient()
  const options = { onSuccess: () => refresh(client, self.get), meta: { quiet: true } }
  return {
    update: useMutation({ mutationFn: (body: SelfChange) => call(self.update, { body }), ...options }),
    transfer: useMutation({ mutationFn: (quota: number) => call(self.transferInviteQuota, { body: { quota } }), ...options }),
    saveSetting: useMutation({ mutationFn: (body: SettingChange) => call(self.updateSetting, { body }), ...options }),
    testNotice: useMutation({ mutationFn: () => call(deliveries.testOwn, {}), ...options }),
  }
}
