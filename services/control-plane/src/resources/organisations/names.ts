import { AppError } from '@tollgate/contracts/app-error'
import { MAX_ORGANISATION_NAME } from '@tollgate/contracts/resources/organisations'
import { hasInvisible } from '../users/policy.ts'

/** The name of an organisation or project, without blanks around it. */
export function checkOrganisationName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || [...trimmed].length > MAX_ORGANISATION_NAME || hasInvisible(trimmed))
    throw new AppError('organisations.name', { max: MAX_ORGANISATION_NAME })
  return trimmed
}
