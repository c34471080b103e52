import type { Db } from '@tollgate/db/connect'
import { hasScimName } from '@tollgate/db/queries/users/scim'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import { ScimError } from '@tollgate/domain/scim/scim-error'

type Records = Parameters<typeof hasScimName>[1]

const NAMES = {
  scim_users: { field: 'userName', indexes: ['scim_users_name', 'scim_users_user'] },
  scim_groups: { field: 'displayName', indexes: ['scim_groups_name'] },
} as const satisfies Record<Records, unknown>

/** Refuses a name that another record of the organisation has; before the lock, so that a refusal waits for none. */
export async function requireFreeName(db: Db, records: Records, wanted: Parameters<typeof hasScimName>[2]): Promise<void> {
  if (await hasScimName(db, records, wanted)) throw taken(records)
}

/** Turns the violation of a unique name, which another call took meanwhile, into a refusal. */
export const throwTaken =
  (records: Records) =>
  (error: unknown): never => {
    throw NAMES[records].indexes.some((index) => isUniqueViolation(error, index)) ? taken(records, error) : error
  }

const taken = (records: Records, cause?: unknown): ScimError =>
  new ScimError(409, `The ${NAMES[records].field} is taken`, 'uniqueness', { cause })
