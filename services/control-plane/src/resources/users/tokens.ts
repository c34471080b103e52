import { AppError } from '@tollgate/contracts/app-error'
import type { PageQuery } from '@tollgate/contracts/values/common-schemas'
import type { NewToken } from '@tollgate/contracts/resources/tokens'
import type { UserToken } from '@tollgate/contracts/resources/users'
import type { Tx } from '@tollgate/db/connect'
import { countTokens, listTokens } from '@tollgate/db/queries/tokens/tokens'
import type { Actor } from '@tollgate/http/actor'
import { recordAudit } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { marksOf } from '../../managed.ts'
import { pagingOf } from '../../paging.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { maskedKey } from '../tokens/key.ts'
import { shownStatus } from '../tokens/policy.ts'
import { createTokenOf } from '../tokens/service.ts'
import { getUser } from './read.ts'
import type { AdminCall } from './write.ts'

type TokenPage = { items: UserToken[]; total: number; page: number; page_size: number }

/** One page of the tokens of an account that the caller may manage. */
export async function listUserTokens(deps: Deps, actor: Actor, { id, ...query }: PageQuery & { readonly id: number }): Promise<TokenPage> {
  await getUser(deps, actor, id)
  const { page, page_size, limit, offset } = pagingOf(query)
  const now = nowSeconds(deps)
  return withReadSnapshot(deps, async (tx) => {
    const rows = await listTokens(tx, { user_id: id, limit, offset })
    const marks = await marksOf(tx, { kind: 'token', account_id: id }, rows)
    const items = rows.map((row, at): UserToken => {
      const remain_quota = row.granted - row.charged
      return {
        id: row.id,
        name: row.name,
        masked_key: maskedKey(row, deps.sealers.options),
        status: shownStatus({ ...row, remain_quota }, now),
        group: row.group,
        remain_quota,
        unlimited_quota: row.unlimited_quota,
        used_quota: row.used_quota,
        created_time: row.created_time,
        accessed_time: row.accessed_time,
        expired_time: row.expired_time,
        ...marks[at],
      }
    })
    return { items, total: await countTokens(tx, id), page, page_size }
  })
}

/** Creates a token for an account that the caller may manage. Its key is answered once; later only its owner reads it. */
export async function createUserToken(deps: Deps, by: AdminCall, id: number, body: NewToken): Promise<{ id: number; key: string }> {
  const owner = await getUser(deps, by.actor, id)
  if (owner.DeletedAt !== null) throw new AppError('record.missing')
  const also = (tx: Tx, { id: token_id, name }: { readonly id: number; readonly name: string }): Promise<void> =>
    recordAudit(deps, tx, by, [
      {
        action: 'create',
        resource: 'token',
        resource_id: token_id,
        changes: [
          { field: 'user', after: `#${id} ${owner.username}` },
          { field: 'name', after: name },
        ],
      },
    ])
  const made = await createTokenOf(deps, { owner, actor_id: by.actor.id, also }, body)
  return { id: made.id, key: `sk-${made.key}` }
}
