import type { Credentials } from './api.ts'

/**
 * Passwords that installers of gateways of this kind have set; imported databases may still hold them. Setup here never makes such an
 * account.
 */
const HANDED_OUT = ['123456']

/** True if root was created with the documented default password. */
export function isDefaultPassword({ username, password }: Credentials): boolean {
  return username.trim() === 'root' && HANDED_OUT.includes(password)
}
