import type { ErrorCode } from '@tollgate/contracts/errors'
import type { SetupBody } from '@tollgate/contracts/resources/setup'
import { hasInvisible } from '../users/policy.ts'

/** The reason why these credentials are not valid for the root account, or undefined. Lengths count characters. */
export function refusalOfRoot({ username, password, confirmPassword }: SetupBody): ErrorCode | undefined {
  const name = [...username.trim()]
  if (name.length === 0) return 'setup.username'
  if (name.length > 12) return 'setup.username-long'
  if (hasInvisible(username.trim())) return 'user.name-invisible'
  if (username.includes('@')) return 'user.name-address'
  if (password !== confirmPassword) return 'setup.passwords-differ'
  if ([...password].length < 8) return 'setup.password-short'
  if ([...password].length > 20) return 'setup.password-long'
  return undefined
}
