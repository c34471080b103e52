import { OwnLogFilter } from '@tollgate/contracts/resources/logs'
import { listTokens, type TokenRow } from '@tollgate/db/queries/tokens/tokens'
import type { Actor } from '@tollgate/http/actor'
import type { Deps } from '../../deps.ts'
import { inSlices } from '../../in-slices.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { exportFilterOf, logPages } from '../logs/service.ts'
import { getSelf } from '../self/service.ts'
import { walletPages } from './wallet-pages.ts'

const TOKENS = 100

/** The data of a user, a JSON object a line with its kind. A part is made when the reader has taken the one before. */
export async function* ownLines(deps: Deps, actor: Actor): AsyncGenerator<string> {
  yield* linesOf('profile', [await getSelf(deps, actor)])
  for (let offset = 0; ; offset += TOKENS) {
    const tokens = await withReadSnapshot(deps, (tx) => listTokens(tx, { user_id: actor.id, limit: TOKENS, offset }))
    yield* linesOf('token', tokens.map(tokenOf))
    if (tokens.length < TOKENS) break
  }
  for await (const rows of walletPages(deps, { from: 0, to: 0, user_id: actor.id })) yield* linesOf('wallet-entry', rows)
  const filter = await exportFilterOf(deps, OwnLogFilter.parse({}), actor.id)
  for await (const rows of logPages(deps, { filter, owner: actor.id, language: undefined })) yield* linesOf('log', rows)
}

/** A token without its key, which is shown in the list of tokens. */
const tokenOf = (row: TokenRow): object => ({
  id: row.id,
  name: row.name,
  created_time: row.created_time,
  accessed_time: row.accessed_time,
  expired_time: row.expired_time,
  remain_quota: row.granted - row.charged,
  used_quota: row.used_quota,
  unlimited_quota: row.unlimited_quota,
  model_limits_enabled: row.model_limits_enabled,
  model_limits: row.model_limits,
  allow_ips: row.allow_ips,
  group: row.group,
})

async function* linesOf(record: string, rows: readonly object[]): AsyncGenerator<string> {
  for await (const lines of inSlices(rows, (row) => `${JSON.stringify({ record, ...row })}\n`)) yield lines.join('')
}
