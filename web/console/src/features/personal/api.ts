import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { audit } from '@tollgate/contracts/resources/audit'
import { self, type SelfChange, type SettingChange } from '@tollgate/contracts/resources/self'
import { call, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'

export const ownAccount = queryOptions({ queryKey: keyOf(self.get), queryFn: ({ signal }) => call(self.get, { signal }) })

export const ownModels = queryOptions({
  queryKey: keyOf(self.models),
  queryFn: ({ signal }) => call(self.models, { signal }),
  staleTime: 60_000,
})

export const inviteCode = queryOptions({
  queryKey: keyOf(self.inviteCode),
  queryFn: ({ signal }) => call(self.inviteCode, { signal }),
  staleTime: Infinity,
})

export const OWN_AUDIT_PAGE = 10

export const ownAudit = (page: number) =>
  queryOptions({
    queryKey: keyOf(audit.listOwn, page),
    queryFn: ({ signal }) => call(audit.listOwn, { query: { p: page, page_size: OWN_AUDIT_PAGE }, signal }),
  })

/** Changes of the own account; dialogs show a refusal themselves. */
export function useOwnChanges() {
  const client = useQueryClient()
  const options = { onSuccess: () => refresh(client, self.get), meta: { quiet: true } }
  return {
    update: useMutation({ mutationFn: (body: SelfChange) => call(self.update, { body }), ...options }),
    transfer: useMutation({ mutationFn: (quota: number) => call(self.transferInviteQuota, { body: { quota } }), ...options }),
    saveSetting: useMutation({ mutationFn: (body: SettingChange) => call(self.updateSetting, { body }), ...options }),
  }
}
