import type {
  CountedStep,
  GroupedLogs,
  LogColumn,
  LogCondition,
  LogGroup,
  LogSelection,
  LogStore,
  LogSums,
  Steps,
  StoredLog,
} from '@tollgate/db/log-store'
import { toWhere } from './conditions.ts'
import type { Connection } from './connection.ts'

type Row = Readonly<Record<string, unknown>>
type Reads = Pick<LogStore, 'select' | 'count' | 'sum' | 'countSteps' | 'sumBy'>

/** The queries of a log store. */
export function createReads(query: Connection['query']): Reads {
  const over = async (condition: LogCondition, before: string, after = ''): Promise<Row[]> => {
    const { text, params } = toWhere(condition)
    return await query(`SELECT ${before} FROM logs WHERE ${text} ${after}`, params)
  }
  return {
    select: async <Column extends LogColumn>(selection: LogSelection<Column>) => {
      const { columns, order, limit, offset = 0 } = selection
      const direction = order === 'newest' ? 'DESC' : 'ASC'
      const order_by = `ORDER BY created_at ${direction}, id ${direction}`
      const { text, params } = toWhere(selection)
      // The wide columns of the rows that a page passes over would be read too.
      const keys = `SELECT created_at, id FROM logs WHERE ${text} ${order_by} LIMIT ${count(limit)} OFFSET ${count(offset)}`
      const names = columns.map((column) => `\`${column}\``).join(', ')
      const rows = await query(`SELECT ${names} FROM logs WHERE (created_at, id) IN (${keys}) ${order_by} LIMIT ${count(limit)}`, params)
      // Exactly these columns were asked for.
      return rows.map(
        (row) => Object.fromEntries(columns.map((column) => [column, valueOf(column, row[column])])) as Pick<StoredLog, Column>,
      )
    },
    count: async (condition) => toNumber((await over(condition, 'count() AS rows'))[0]?.['rows']),
    sum: async (condition) => toSums((await over(condition, SUMS))[0]),
    countSteps: async (condition, { seconds, shift }: Steps) => {
      const at = `intDiv(created_at + ${whole(shift)}, ${count(seconds)}) * ${count(seconds)} - ${whole(shift)} AS at`
      const rows = await over(condition, `${at}, type, count() AS rows`, 'GROUP BY at, type ORDER BY at, type')
      return rows.map((row): CountedStep => ({ at: toNumber(row['at']), type: toNumber(row['type']), rows: toNumber(row['rows']) }))
    },
    sumBy: async (condition, groups: readonly LogGroup[]) => {
      const keys = groups.map((group) => GROUPS[group])
      const rows = await over(condition, `${keys.join(', ')}, ${SUMS}`, `GROUP BY ${groups.join(', ')} ORDER BY ${groups.join(', ')}`)
      return rows.map((row): GroupedLogs => ({
        ...toSums(row),
        hour: toNumber(row['hour'] ?? '0'),
        month: toText(row['month'] ?? ''),
        user_id: toNumber(row['user_id'] ?? '0'),
      }))
    },
  }
}

/** Sums of many rows may be beyond 64 bits, where the server's own wrap. */
const SUMS = 'count() AS rows, sum(toInt128(quota)) AS quota, sum(toInt128(prompt_tokens)) + sum(toInt128(completion_tokens)) AS tokens'

const GROUPS: Readonly<Record<LogGroup, string>> = {
  hour: 'created_at - created_at % 3600 AS hour',
  month: "formatDateTime(toDateTime(created_at, 'UTC'), '%Y-%m') AS month",
  user_id: 'user_id',
}

const toSums = (row: Row | undefined): LogSums => ({
  rows: toNumber(row?.['rows']),
  quota: bounded(row?.['quota']),
  tokens: bounded(row?.['tokens']),
})

const TEXTS: ReadonlySet<LogColumn> = new Set<LogColumn>([
  ...(['username', 'token_name', 'model_name', 'group', 'content', 'other', 'request_id', 'state'] as const),
  ...(['usage', 'quote', 'explanation', 'error_code', 'session'] as const),
])

const valueOf = (column: LogColumn, value: unknown): unknown => (TEXTS.has(column) || column === 'is_stream' ? value : toNumber(value))

function toText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('The log store answered with no text')
  return value
}

/** Whole numbers come as text, because JSON.parse would round them. */
function toNumber(value: unknown): number {
  const number = typeof value === 'string' ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(number)) throw new RangeError('The log store answered with no whole number within 2^53')
  return number
}

/** A sum for display, as those of Postgres: beyond a safe integer it shows the greatest one. */
function bounded(value: unknown): number {
  const sum = BigInt(toText(value ?? '0'))
  const most = BigInt(Number.MAX_SAFE_INTEGER)
  return Number(sum > most ? most : sum < -most ? -most : sum)
}

function whole(number: number): number {
  if (!Number.isSafeInteger(number)) throw new RangeError('A whole number is needed')
  return number
}

function count(number: number): number {
  if (number < 0) throw new RangeError('A count is not negative')
  return whole(number)
}
