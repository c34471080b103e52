import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelState } from '@tollgate/contracts/channel-states'
import type { ChannelAttention } from '@tollgate/contracts/resources/channels'
import { toArray } from '../columns.ts'
import type { Db, Tx } from '../connect.ts'

/** A reason why channels need an operator. Which ones fail is known to relays only, so their ids are given. */
export type StateFilter = StateFacts & { readonly state: ChannelState }
export type StateFacts = {
  readonly failing: readonly number[]
  /** A balance below this, in the vendor's currency, is low. */
  readonly low_balance: number
}

const enabled = sql`channels.status = ${ChannelStatus.enabled}`
const autoDisabled = sql`channels.status = ${ChannelStatus.autoDisabled}`
const keysOut = sql`(${enabled} and channels.other_info like '%"keys":%')`
const testFailed = sql`(${enabled} and channels.test_error <> '')`
const isLow = (than: number): RawBuilder<unknown> => sql`(${enabled} and channels.balance_updated_time > 0 and channels.balance < ${than})`
const isFailing = (ids: readonly number[]): RawBuilder<unknown> => sql`(${enabled} and channels.id = any(${toArray(ids, 'bigint')}))`

/** The condition of a filter by state. */
export function hasState({ state, failing, low_balance }: StateFilter): RawBuilder<SqlBool> {
  const lowBalance = isLow(low_balance)
  const conditions = {
    failing: isFailing(failing),
    'auto-disabled': autoDisabled,
    'keys-out': keysOut,
    'test-failed': testFailed,
    'low-balance': lowBalance,
    attention: sql`(${isFailing(failing)} or ${autoDisabled} or ${keysOut} or ${testFailed} or ${lowBalance})`,
  } as const satisfies Record<StateFilter['state'], unknown>
  return sql<SqlBool>`${conditions[state]}`
}

/** How many channels are in each state. */
export async function countStates(db: Db | Tx, facts: StateFacts): Promise<ChannelAttention> {
  const count = (state: StateFilter['state']): RawBuilder<unknown> => sql`count(*) filter (where ${hasState({ ...facts, state })})`
  const { rows } = await sql<ChannelAttention>`
    select ${count('failing')} as failing, ${count('auto-disabled')} as auto_disabled, ${count('keys-out')} as keys_out,
      ${count('test-failed')} as test_failed, ${count('low-balance')} as low_balance, ${count('attention')} as total,
      count(*) as channels, count(distinct nullif(channels.tag, '')) as tags
    from channels`.execute(db)
  return rows[0] ?? { failing: 0, auto_disabled: 0, keys_out: 0, test_failed: 0, low_balance: 0, total: 0, channels: 0, tags: 0 }
}
