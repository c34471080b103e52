import type { NewAccount } from './api.ts'

const MIN_PASSWORD = 8

export type Problem = 'name-and-password' | 'password-short' | 'passwords-differ' | 'email-required' | 'code-required'

/** The first thing that is missing or wrong; lengths count characters, as on the server. */
export function problemOf(account: NewAccount, needsEmail: boolean): Problem | undefined {
  if (account.username.trim() === '' || account.password === '') return 'name-and-password'
  if ([...account.password].length < MIN_PASSWORD) return 'password-short'
  if (account.password !== account.password2) return 'passwords-differ'
  if (!needsEmail) return undefined
  if (account.email.trim() === '') return 'email-required'
  return account.verification_code.trim() === '' ? 'code-required' : undefined
}
