import { AppError } from '@tollgate/contracts/app-error'
import { TokenStatus, UserStatus } from '@tollgate/contracts/enums'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import type { LimitObstacle, LimitQuery } from '@tollgate/contracts/resources/limits'
import type { UnixMillis } from '@tollgate/contracts/units'
import { listTokenOwnersOfUser } from '@tollgate/db/queries/tokens/tokens'
import { findAccount, findAccountsForSignIn, getUserLimits } from '@tollgate/db/queries/users/users'
import type { Deps } from '../../deps.ts'
import { toTokenRecord } from '../../internal/token-record.ts'

/** Facts on which limits depend, as relays read them from a token's record; without a token `token_id` is 0. */
export type AskedAccount = Pick<
  TokenRecord,
  'user_id' | 'token_id' | 'shard' | 'username' | 'name' | 'group' | 'user_group' | 'model_limits' | 'limits' | 'user_limits'
> & { readonly obstacle: LimitObstacle | undefined }

/** The user and token of a question, each by name or id. Throws when one does not exist. */
export async function getAskedAccount(
  deps: Pick<Deps, 'db' | 'now'>,
  { user, token }: Pick<LimitQuery, 'user' | 'token'>,
): Promise<AskedAccount> {
  const account = (await findAccountsForSignIn(deps.db, user))[0] ?? (await findById(deps, user))
  if (account === undefined) throw new AppError('users.missing')
  const isEnabled = account.status === UserStatus.enabled
  if (token !== '') {
    const rows = await listTokenOwnersOfUser(deps.db, account.id)
    const row = rows.find(({ name }) => name === token) ?? rows.find(({ token_id }) => String(token_id) === token)
    if (row === undefined) throw new AppError('record.missing')
    const record = toTokenRecord(row)
    return { ...record, obstacle: tokenObstacle(record, deps.now()) ?? (isEnabled ? undefined : 'user-disabled') }
  }
  const { shard, limits } = await getUserLimits(deps.db, account.id)
  return {
    user_id: account.id,
    token_id: 0,
    shard,
    username: account.username,
    name: '',
    group: '',
    user_group: account.group,
    model_limits: null,
    user_limits: limits,
    obstacle: isEnabled ? undefined : 'user-disabled',
  }
}

async function findById({ db }: Pick<Deps, 'db'>, text: string) {
  return /^[1-9]\d{0,15}$/.test(text) ? await findAccount(db, Number(text)) : undefined
}

function tokenObstacle({ status, expired_time }: TokenRecord, now: UnixMillis): LimitObstacle | undefined {
  if (status === TokenStatus.expired || (expired_time !== -1 && expired_time * 1000 < now)) return 'token-expired'
  return status === TokenStatus.enabled ? undefined : 'token-disabled'
}
