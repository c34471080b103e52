import type { PageQuery } from '@tollgate/contracts/common-schemas'
import type { UserToken } from '@tollgate/contracts/resources/users'
import { countTokens, listTokens } from '@tollgate/db/queries/tokens'
import type { Actor } from '@tollgate/http/actor'
import { nowSeconds, type Deps } from '../../deps.ts'
import { pagingOf } from '../../paging.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { maskedKey } from '../tokens/key.ts'
import { shownStatus } from '../tokens/policy.ts'
import { getUser } from './read.ts'

type TokenPage = { items: UserToken[]; total: number; page: number; page_size: number }

/** One page of the tokens of an account that the caller may manage. */
export async function listUserTokens(deps: Deps, actor: Actor, { id, ...query }: PageQuery & { readonly id: number }): Promise<TokenPage> {
  await getUser(deps, actor, id)
  const { page, page_size, limit, offset } = pagingOf(query)
  const now = nowSeconds(deps)
  return withReadSnapshot(deps, async (tx) => {
    const rows = await listTokens(tx, { user_id: id, limit, offset })
    const items = rows.map((row): UserToken => {
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
      }
    })
    return { items, total: await countTokens(tx, id), page, page_size }
  })
}
