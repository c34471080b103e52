import { AppError } from '@tollgate/contracts/app-error'
import type { ErrorCode } from '@tollgate/contracts/errors'
import type { OptionValues } from '@tollgate/contracts/options/registry'
import { isAlias, isDomainAllowed, parseAddress } from '@tollgate/mail/addresses'

type Rules = Pick<OptionValues, 'EmailDomainRestrictionEnabled' | 'EmailDomainWhitelist' | 'EmailAliasRestrictionEnabled'>

/** The address in lower case; throws when it is none, or the operator does not accept it for accounts. */
export function checkAddress(text: string, options: Rules, invalid: ErrorCode = 'email.invalid'): string {
  const address = parseAddress(text)
  if (address === undefined) throw new AppError(invalid)
  if (options.EmailDomainRestrictionEnabled && !isDomainAllowed(address, options.EmailDomainWhitelist)) throw new AppError('email.domain')
  if (options.EmailAliasRestrictionEnabled && isAlias(address)) throw new AppError('email.alias')
  return address
}
