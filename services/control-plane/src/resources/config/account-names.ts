import type { ConfigBudget, ConfigProject, ConfigToken } from '@tollgate/contracts/config-files'
import { encodeRef, type RecordRef } from '@tollgate/domain/config-plan/record-names'

export const projectNameOf = ({ organisation, name }: ConfigProject): string =>
  encodeRef({ account: { kind: 'organisation', name: organisation }, part: { kind: 'project', name } })

export const tokenNameOf = (token: ConfigToken): string =>
  encodeRef({ account: accountIn(token), part: { kind: 'token', name: token.name } })

export function budgetNameOf({ project, member, token, window, ...owner }: ConfigBudget): string {
  const part = [
    ...(project === undefined ? [] : [{ kind: 'project' as const, name: project }]),
    ...(member === undefined ? [] : [{ kind: 'member' as const, name: member }]),
    ...(token === undefined ? [] : [{ kind: 'token' as const, name: token }]),
  ][0]
  return encodeRef({ account: accountIn(owner), part, window })
}

type Owned = { readonly user?: string | undefined; readonly organisation?: string | undefined; readonly group?: string | undefined }

/** The schema admits one of them. A token's group is no owner. */
function accountIn({ user, organisation, group = '' }: Owned): RecordRef['account'] {
  if (organisation !== undefined) return { kind: 'organisation', name: organisation }
  return user === undefined ? { kind: 'group', name: group } : { kind: 'user', name: user }
}
