import { sql, type RawBuilder } from 'kysely'
import { toArray } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import type { LogFilter } from '../../log-store.ts'
import { findRolledUp } from '../usage/usage-rollup.ts'
import { rangesNotRolledUp } from '../../spans.ts'

/** True if a filter has a field that only the rows have. */
export function isOfRows({ request_id = '', state = '', error_code = '', session = '', min_seconds = 0 }: LogFilter): boolean {
  return request_id !== '' || state !== '' || error_code !== '' || session !== '' || min_seconds > 0
}

/** The rows of a partial index are selected by the condition of that index. */
const SLOW_SECONDS = 10
const UNUSUAL_STATES = new Set(['estimated', 'late'])

/** All conditions of a filter, for the rows themselves. */
export function rowConditionsOf(filter: LogFilter): RawBuilder<unknown> {
  const { from = 0, to = 0, request_id = '', state = '', error_code = '', session = '', min_seconds = 0 } = filter
  return sql.join(
    [
      conditionsOf(filter),
      ...(from === 0 ? [] : [sql`created_at >= ${from}`]),
      ...(to === 0 ? [] : [sql`created_at <= ${to}`]),
      ...(request_id === '' ? [] : [sql`request_id = ${request_id} and request_id <> ''`]),
      ...(state === '' ? [] : [sql`state = ${state}`]),
      ...(UNUSUAL_STATES.has(state) ? [sql`state in ('estimated', 'late')`] : []),
      ...(error_code === '' ? [] : [sql`error_code = ${error_code} and error_code <> ''`]),
      ...(session === '' ? [] : [sql`session = ${session}`]),
      ...(min_seconds <= 0 ? [] : [sql`use_time >= ${min_seconds}`]),
      ...(min_seconds >= SLOW_SECONDS ? [sql`use_time >= ${sql.lit(SLOW_SECONDS)}`] : []),
    ],
    sql` and `,
  )
}

/** The users of a filter; undefined: all. */
export const usersOf = ({ user_id, user_ids }: LogFilter): readonly number[] | undefined =>
  user_ids ?? (user_id === undefined ? undefined : [user_id])

/** The names of tokens of a filter; undefined: all. */
export const tokensOf = ({ token_name = '', token_names }: LogFilter): readonly string[] | undefined =>
  token_names ?? (token_name === '' ? undefined : [token_name])

/** One value is compared with `=`: only then does an index give the rows of a list in its order. */
export const isAmong = (column: RawBuilder<unknown>, values: readonly (string | number)[], type: 'bigint' | 'text'): RawBuilder<unknown> =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${toArray(values, type)})`

/** All conditions except the time, on columns that `logs` and the usage tables share. Always at least one. */
export function conditionsOf(filter: LogFilter): RawBuilder<unknown> {
  const { type = 0, models, channel_id = 0, group = '', token_id = 0 } = filter
  const [users, tokens] = [usersOf(filter), tokensOf(filter)]
  return sql.join(
    [
      sql`true`,
      ...(users === undefined ? [] : [isAmong(sql`user_id`, users, 'bigint')]),
      ...(channel_id === 0 ? [] : [sql`channel_id = ${channel_id}`]),
      ...(token_id === 0 ? [] : [sql`token_id = ${token_id}`]),
      ...(type === 0 ? [] : [sql`type = ${type}`]),
      ...(tokens === undefined ? [] : [isAmong(sql`token_name`, tokens, 'text')]),
      ...(models === undefined ? [] : [oneOf(models)]),
      ...(group === '' ? [] : [sql`"group" = ${group}`]),
    ],
    sql` and `,
  )
}

const oneOf = (models: readonly string[]): RawBuilder<unknown> =>
  models.length === 0 ? sql`false` : sql`model_name in (${sql.join(models)})`

const HAS_WILDCARD = /%/

/**
 * The logged model names that match a pattern (`%`: any text); undefined for the empty pattern. Names of rolled-up
 * hours are read from `usage_models`, so that no list matches the pattern against every row.
 */
export async function listModelsLike(db: Db | Tx, pattern: string): Promise<string[] | undefined> {
  if (pattern === '') return undefined
  if (!HAS_WILDCARD.test(pattern)) return [pattern]
  const like = pattern.replaceAll(/[\\_]/g, (character) => `\\${character}`)
  const ranges = rangesNotRolledUp({ from: 0, until: Number.MAX_SAFE_INTEGER }, await findRolledUp(db, 'hour'), 'hour')
  const fresh = ranges.map(
    ({ from, until }) => sql`
      union select model_name from usage_hours where hour >= ${from} and hour < ${until} and model_name like ${like}`,
  )
  const { rows } = await sql<{ model_name: string }>`
    select model_name from usage_models where model_name like ${like} ${sql.join(fresh, sql` `)}`.execute(db)
  return rows.map((row) => row.model_name)
}
