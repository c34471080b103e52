import { LogType, REFUNDED } from '@tollgate/contracts/enums'
import type { Contradictions, LogStore } from '@tollgate/db/log-store'
import { toWhere } from './conditions.ts'
import type { Connection } from './connection.ts'

type Checks = Pick<LogStore, 'findRepeatedStates' | 'findUnfitRows'>

const SHOWN = 10

/** Questions of the verifier that are answered where the rows are. */
export function createChecks(query: Connection['query']): Checks {
  const find = async (text: string, params: Parameters<Connection['query']>[1]): Promise<Contradictions> => {
    const rows = await query(`SELECT name, left, right, count() OVER () AS total FROM (${text}) ORDER BY name LIMIT ${SHOWN}`, params, {
      isLong: true,
    })
    const first = rows.map(({ name, left, right }) => ({ id: String(name), left: String(left), right: String(right) }))
    return { total: Number(rows[0]?.['total'] ?? 0), first }
  }
  return {
    findRepeatedStates: async ({ one_in, offset }) => await find(REPEATED, { one_in, offset }),
    findUnfitRows: async (condition) => {
      const { text, params } = toWhere(condition)
      return await find(`${UNFIT} AND ${text}`, params)
    },
  }
}

const REPEATED = `
  SELECT request_id AS name, countIf(state NOT IN ('late', '${REFUNDED}')) AS left, countIf(state = 'late') AS right FROM logs
  WHERE request_id <> '' AND cityHash64(request_id) % {one_in:UInt64} = {offset:UInt64}
  GROUP BY request_id HAVING countIf(type <> ${LogType.refused}) > 1 AND (left > 1 OR right > 1)`

const UNFIT = `
  SELECT concat(request_id, ' (', state, ')') AS name, type AS left, quota AS right FROM logs
  WHERE request_id <> '' AND multiIf(
    type = ${LogType.refused}, state <> '' OR quota <> 0,
    state = '${REFUNDED}', type <> ${LogType.consume} OR quota >= 0,
    state NOT IN ('settled', 'estimated', 'released', 'late') OR (state = 'released') <> (type = ${LogType.error}) OR usage = '' OR quote = '')`
