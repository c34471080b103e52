import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelState } from '@tollgate/contracts/channels/channel-states'
import type { ChannelAttention } from '@tollgate/contracts/resources/channels'
import { toArray } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'

/** A reason why channels need an operator. Which ones fail is known to relays only, so their ids are given. */
export type StateFilter = StateFacts & { readonly state: ChannelState }
export type StateFacts = {
  readonly failing: readonly number[]
  /** A balance below this, in the vendor's currency, is low. */
  readonly low_balance: number
  /** Unix seconds; a key that expires before is expiring. */
  readonly expiring_before: number
}

const enabled = sql`channels.status = ${ChannelStatus.enabled}`
const autoDisabled = sql`channels.status = ${ChannelStatus.autoDisabled}`
const keysOut = sql`(${enabled} and channels.other_info like '%"keys":%')`
const testFailed = sql`(${enabled} and channels.test_error <> '')`
const isLow = (than: number): RawBuilder<unknown> => sql`(${enabled} and channels.balance_updated_time > 0 and channels.balance < ${than})`
const isFailing = (ids: readonly number[]): RawBuilder<unknown> => sql`(${enabled} and channels.id = any(${toArray(ids, 'bigint')}))`

const isExpiring = (before: number): RawBuilder<unknown> =>
  sql`(${enabled} and channels.key_expires_at > 0 and channels.key_expires_at < ${before})`
const keysDisabled = sql`channels.key_states like '%"disabled_at":%'`
// Compact JSON of ModelCheck: an empty list is [].
const modelsDiffer = sql`(channels.model_check like '%"fresh":["%' or channels.model_check like '%"gone":["%')`

/** The condition of a filter by state. */
export function hasState({ state, failing, low_balance, expiring_before }: StateFilter): RawBuilder<SqlBool> {
  const lowBalance = isLow(low_balance)
  const keysExpiring = isExpiring(expiring_before)
  const conditions = {
    failing: isFailing(failing),
    'auto-disabled': autoDisabled,
    'keys-out': keysOut,
    'test-failed': testFailed,
    'low-balance': lowBalance,
    'keys-expiring': keysExpiring,
    'keys-disabled': keysDisabled,
    'models-differ': modelsDiffer,
    attention: sql`(${isFailing(failing)} or ${autoDisabled} or ${keysOut} or ${testFailed} or ${lowBalance} or ${keysExpiring})`,
  } as const satisfies Record<StateFilter['state'], unknown>
  return sql<SqlBool>`${conditions[state]}`
}

/** How many channels are in each state. */
export async function countStates(db: Db | Tx, facts: StateFacts): Promise<ChannelAttention> {
  const count = (state: StateFilter['state']): RawBuilder<unknown> => sql`count(*) filter (where ${hasState({ ...facts, state })})`
  const { rows } = await sql<ChannelAttention>`
    select ${count('failing')} as failing, ${count('auto-disabled')} as auto_disabled, ${count('keys-out')} as keys_out,
      ${count('test-failed')} as test_failed, ${count('low-balance')} as low_balance, ${count('attention')} as total,
      ${count('keys-expiring')} as keys_expiring, ${count('keys-disabled')} as keys_disabled, ${count('models-differ')} as models_differ,
      count(*) as channels, count(distinct nullif(channels.tag, '')) as tags
    from channels`.execute(db)
  const [counts] = rows
  if (counts === undefined) throw new Error('a count returned no row')
  return counts
}
