import type { Selectable } from 'kysely'
import { parseKeyStates } from '@tollgate/contracts/channels/channel-keys'
import { parseChannelTests, type ChannelTest } from '@tollgate/contracts/channels/channel-tests'
import { parseModelCheck, type ModelCheck } from '@tollgate/contracts/models/model-check'
import type { Db, Tx } from '../../connect.ts'
import type { Database } from '../../schema.ts'

type Channels = Selectable<Database['channels']>

/** Stores how a channel's models differ from its vendor's, unless they were edited meanwhile. */
export async function recordModelCheck(
  db: Db | Tx,
  { id, models, model_mapping, check }: Pick<Channels, 'id' | 'models' | 'model_mapping'> & { readonly check: ModelCheck },
): Promise<void> {
  await db
    .updateTable('channels')
    .set({ model_check: JSON.stringify(check) })
    .where('id', '=', id)
    .where('models', '=', models)
    .where('model_mapping', '=', model_mapping)
    .execute()
}

/** The last comparison with the vendor's models. */
export async function findModelCheck(db: Db | Tx, id: number): Promise<ModelCheck | undefined> {
  const row = await db.selectFrom('channels').select('model_check').where('id', '=', id).executeTakeFirst()
  return parseModelCheck(row?.model_check ?? '')
}

type StoredHealth = { readonly tests: ChannelTest[]; readonly models: ModelCheck | undefined; readonly keys_disabled: number }

/** The last tests and comparison of models, and the number of keys disabled by an operator, by channel. */
export async function listStoredHealth(db: Db | Tx, ids: readonly number[]): Promise<ReadonlyMap<number, StoredHealth>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('channels').select(['id', 'tests', 'model_check', 'key_states']).where('id', 'in', ids).execute()
  return new Map(
    rows.map(({ id, tests, model_check, key_states }) => {
      const keys_disabled = Object.values(parseKeyStates(key_states)).filter(({ disabled_at }) => disabled_at !== undefined).length
      return [id, { tests: parseChannelTests(tests), models: parseModelCheck(model_check), keys_disabled }]
    }),
  )
}
