import type { SetupBody } from '@tollgate/contracts/resources/setup'

export const USAGE_MODES = ['external', 'self', 'demo'] as const
export type UsageMode = (typeof USAGE_MODES)[number]

export type SetupForm = {
  readonly username: string
  readonly password: string
  readonly confirmPassword: string
  readonly mode: UsageMode
  readonly code: string
}

type SetupField = 'username' | 'password' | 'confirmPassword'
/** A key of the namespace `setup` per field that is wrong. */
export type SetupErrors = {
  readonly [F in SetupField]?: 'username-required' | 'username-length' | 'password-short' | 'password-long' | 'passwords-differ'
}

const MAX_USERNAME = 12
const LEAST_PASSWORD = 8
const MAX_PASSWORD = 20

/** Which fields are wrong, in the order they stand on the page. An existing root account needs none of them. */
export function checkSetup({ username, password, confirmPassword }: SetupForm, hasRoot: boolean): SetupErrors {
  if (hasRoot) return {}
  const length = [...password].length
  return {
    ...(username.trim() === ''
      ? { username: 'username-required' }
      : [...username.trim()].length > MAX_USERNAME
        ? { username: 'username-length' }
        : {}),
    ...(length < LEAST_PASSWORD ? { password: 'password-short' } : length > MAX_PASSWORD ? { password: 'password-long' } : {}),
    ...(password === confirmPassword ? {} : { confirmPassword: 'passwords-differ' }),
  } as const
}

export function toSetupBody({ username, password, confirmPassword, mode, code }: SetupForm): SetupBody {
  return {
    username: username.trim(),
    password,
    confirmPassword,
    SelfUseModeEnabled: mode === 'self',
    DemoSiteEnabled: mode === 'demo',
    ...(code.trim() === '' ? {} : { code: code.trim() }),
  }
}
