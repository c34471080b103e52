import { AppError } from '@tollgate/contracts/app-error'
import type { OptionValues } from '@tollgate/contracts/options/registry'

/** Throws unless strangers may make accounts, whatever their way in. */
export function requireSignUp({ RegisterEnabled, SelfUseModeEnabled }: Pick<OptionValues, 'RegisterEnabled' | 'SelfUseModeEnabled'>): void {
  if (!RegisterEnabled || SelfUseModeEnabled) throw new AppError('register.off')
}
