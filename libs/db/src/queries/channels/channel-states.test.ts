import type { ChannelState } from '@tollgate/contracts/channels/channel-states'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Tx } from '../../connect.ts'
import { listChannelIds, listEnabledModelGroups, listEnabledModels, rebuildAbilities } from './abilities.ts'
import { clearChannelFailures, listChannelFailures, recordChannelFailures } from './channel-failures.ts'
import { countStates, hasState } from './channel-states.ts'
import { createChannels, takeChannelIds, type RoutedChannelRow } from './channels.ts'
import { findRivals } from './rivals.ts'

const FACTS = { failing: [] as readonly number[], low_balance: 10, expiring_before: 500 }

describe('channels', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())
  beforeEach(async () => {
    for (const table of ['channel_failures', 'abilities', 'channels'] as const) await test.db.deleteFrom(table).execute()
  })

  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => test.db.transaction().execute(work)
  type Fields = Partial<RoutedChannelRow> & { readonly [column: string]: unknown }
  const aChannel = (fields: Fields = {}): Promise<number> =>
    inTx(async (tx) => {
      const [id = 0] = await takeChannelIds(tx, 1)
      const routed = { id, status: 1, models: 'm', group: 'default' }
      const own = { type: 1, name: `c${id}`, key_sealed: 's', key_hash: 'h', created_time: 1, ...routed, ...fields }
      await createChannels(tx, [{ ...EMPTY, ...own }])
      await rebuildAbilities(tx, [{ ...routed, ...fields }])
      return id
    })
  const inState = async (state: ChannelState, facts = FACTS): Promise<number[]> => {
    const rows = await test.db
      .selectFrom('channels')
      .select('id')
      .where(hasState({ ...facts, state }))
      .orderBy('id')
      .execute()
    return rows.map(({ id }) => id)
  }

  describe('that need an operator', () => {
    it.each<[ChannelState, Fields, Fields]>([
      ['auto-disabled', { status: 3 }, { status: 2 }],
      ['keys-out', { other_info: '{"keys":{"a":{}}}' }, { other_info: '{"keys":{"a":{}}}', status: 2 }],
      ['test-failed', { test_error: 'refused' }, { test_error: 'refused', status: 2 }],
      ['low-balance', { balance: 9.99, balance_updated_time: 5 }, { balance: 0, balance_updated_time: 0 }],
      ['keys-expiring', { key_expires_at: 499 }, { key_expires_at: 500 }],
      ['keys-disabled', { key_states: '{"a":{"disabled_at":5}}' }, { key_states: '{"a":{"reason":"x"}}' }],
      ['models-differ', { model_check: '{"at":1,"fresh":["n"],"gone":[]}' }, { model_check: '{"at":1,"fresh":[],"gone":[]}' }],
    ])('are %s by their own row', async (state, yes, no) => {
      const channel = await aChannel()
      const other = await aChannel()
      await test.db.updateTable('channels').set(yes).where('id', '=', channel).execute()
      await test.db.updateTable('channels').set(no).where('id', '=', other).execute()

      expect(await inState(state)).toEqual([channel])
      const needsOperator = state !== 'keys-disabled' && state !== 'models-differ'
      expect(await inState('attention')).toEqual(needsOperator ? [channel] : [])
    })

    it('are counted by state, and in all once each', async () => {
      const failing = await aChannel({ tag: 'east' })
      const both = await aChannel({ tag: 'east' })
      await aChannel({ status: 3 })
      await test.db.updateTable('channels').set({ test_error: 'refused' }).where('id', '=', both).execute()

      const counts = await countStates(test.db, { ...FACTS, failing: [failing, both, 999] })

      expect(counts).toMatchObject({ failing: 2, auto_disabled: 1, test_failed: 1, low_balance: 0, total: 3, channels: 3, tags: 1 })
    })
  })

  describe('that fail', () => {
    const failure = (channel_id: number, failed_at: number, message = 'away') => ({
      channel_id,
      failed_at,
      status: 500,
      message,
      model: 'm',
    })

    it('are kept with their latest failure and the time of the first since they worked', async () => {
      const id = await aChannel()
      await recordChannelFailures(test.db, [failure(id, 100), failure(999, 100)])
      await recordChannelFailures(test.db, [failure(id, 90, 'late news')])
      await recordChannelFailures(test.db, [failure(id, 200, 'worse')])

      expect(await listChannelFailures(test.db)).toMatchObject([{ channel_id: id, since: 100, failed_at: 200, message: 'worse' }])
    })

    it('fail again after they were cleared with a later call only', async () => {
      const id = await aChannel()
      await recordChannelFailures(test.db, [failure(id, 100)])
      expect(await clearChannelFailures(test.db, [id, 999], 150)).toEqual([id])
      expect(await clearChannelFailures(test.db, [id], 160), 'again').toEqual([])

      await recordChannelFailures(test.db, [failure(id, 140)])
      expect(await listChannelFailures(test.db)).toMatchObject([{ failed_at: 100, cleared_at: 150 }])

      await recordChannelFailures(test.db, [failure(id, 170)])
      expect(await listChannelFailures(test.db)).toMatchObject([{ since: 170, failed_at: 170 }])
    })
  })

  describe('and their models', () => {
    it('follow the lists of the channel, without blanks and duplicates, and its status', async () => {
      const id = await aChannel({ models: 'a, b,,a', group: 'default,vip' })
      await aChannel({ models: 'z', status: 2 })

      expect(await listEnabledModels(test.db)).toEqual(['a', 'b'])
      expect(await listEnabledModels(test.db, ['vip'])).toEqual(['a', 'b'])
      expect(await listEnabledModels(test.db, [])).toEqual([])

      const change = { id, models: 'b,c', group: 'vip', status: 1 }
      expect(await inTx((tx) => rebuildAbilities(tx, [change]))).toBe(2)
      expect(await listEnabledModelGroups(test.db)).toEqual([
        { model: 'b', groups: ['vip'] },
        { model: 'c', groups: ['vip'] },
      ])

      await inTx((tx) => rebuildAbilities(tx, [{ ...change, status: 3 }]))
      expect(await listEnabledModels(test.db)).toEqual([])
      expect(await listChannelIds(test.db, { groups: ['vip'], model: 'c' }), 'disabled ones too').toEqual([id])
    })

    it('compete with the enabled channels of their priority, where there are most', async () => {
      const id = await aChannel({ models: 'a,b' })
      const [one, two] = [await aChannel({ models: 'b', weight: 3 }), await aChannel({ models: 'a,b', weight: 5 })]
      await aChannel({ models: 'b', status: 2 })
      await aChannel({ models: 'b', priority: 9 })
      await aChannel({ models: 'b', group: 'vip' })
      const find = (change: object = {}) => findRivals(test.db, { id, groups: ['default'], models: ['a', 'b'], priority: 0, ...change })

      expect(await find()).toEqual({
        group: 'default',
        model: 'b',
        rivals: [
          { id: one, name: `c${one}`, weight: 3 },
          { id: two, name: `c${two}`, weight: 5 },
        ],
      })
      expect(await find({ priority: 7 })).toEqual({ group: '', model: '', rivals: [] })
    })
  })
})

/** The columns of a channel that a form leaves empty. */
const EMPTY = {
  openai_organization: '',
  test_model: '',
  base_url: '',
  other: '',
  model_mapping: '',
  status_code_mapping: '',
  param_override: '',
  setting: '',
  setting_sealed: '',
  max_input_tokens: 0,
  priority: 0,
  weight: 0,
  auto_ban: 1,
  tag: '',
}
