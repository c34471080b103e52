import type { Right } from '@tollgate/contracts/rights'
import { hasRight } from '@tollgate/domain/access/rights'
import type { StoredUser } from './storage.ts'

/** True if the reader may do it: people may do everything in their own account, a member what the role allows. */
export function may(user: StoredUser | undefined, right: Right): boolean {
  return user?.member === undefined || hasRight(user.member.role, right)
}
