import { HOUR_SECONDS } from '@tollgate/contracts/units'
import type { LogCondition, LogCursor, LogFilter } from '@tollgate/db/log-store'
import type { Params } from './connection.ts'

type Value = string | number | readonly (string | number)[]

/** A condition as text, with the values that its placeholders name. */
export type Where = { readonly text: string; readonly params: Params }

/** All parts of a condition. Values never become part of the text. */
export function toWhere(condition: LogCondition): Where {
  const params: Record<string, Value> = {}
  const put = (type: string, value: Value): string => {
    const name = `p${Object.keys(params).length}`
    params[name] = value
    return `{${name}:${type}}`
  }
  const parts = [...ofFilter(condition.filter ?? {}, put), ...ofOrder(condition, put), ...ofKinds(condition, put)]
  return { text: parts.length === 0 ? 'true' : parts.join(' AND '), params }
}

type Put = (type: string, value: Value) => string

const NUMBER = 'Int64'
const among = (column: string, type: string, values: readonly (string | number)[] | undefined, put: Put): string[] =>
  values === undefined ? [] : [values.length === 0 ? 'false' : `${column} IN ${put(`Array(${type})`, values)}`]
const equals = (column: string, type: string, value: string | number | undefined, put: Put): string[] =>
  value === undefined || value === '' || value === 0 ? [] : [`${column} = ${put(type, value)}`]

function ofFilter(filter: LogFilter, put: Put): string[] {
  const { from = 0, to = 0, min_seconds = 0 } = filter
  return [
    ...(from === 0 ? [] : [`created_at >= ${put(NUMBER, from)}`]),
    ...(to === 0 ? [] : [`created_at <= ${put(NUMBER, to)}`]),
    ...(filter.user_id === undefined ? [] : [`user_id = ${put(NUMBER, filter.user_id)}`]),
    ...among('user_id', NUMBER, filter.user_ids, put),
    ...equals('channel_id', NUMBER, filter.channel_id, put),
    ...equals('token_id', NUMBER, filter.token_id, put),
    ...equals('type', NUMBER, filter.type, put),
    ...equals('token_name', 'String', filter.token_name, put),
    ...among('token_name', 'String', filter.token_names, put),
    ...among('model_name', 'String', filter.models, put),
    ...equals('`group`', 'String', filter.group, put),
    ...equals('request_id', 'String', filter.request_id, put),
    ...equals('state', 'String', filter.state, put),
    ...equals('error_code', 'String', filter.error_code, put),
    ...equals('session', 'String', filter.session, put),
    ...(min_seconds <= 0 ? [] : [`use_time >= ${put(NUMBER, min_seconds)}`]),
  ]
}

function ofOrder({ before, after, until, hours, sample, hasToken }: LogCondition, put: Put): string[] {
  return [
    ...beyond('<', before, put),
    ...beyond('>', after, put),
    ...(until === undefined ? [] : [`created_at < ${put(NUMBER, until)}`]),
    ...among(
      `intDiv(created_at, ${HOUR_SECONDS})`,
      NUMBER,
      hours?.map((hour) => hour / HOUR_SECONDS),
      put,
    ),
    ...(hasToken === true ? ['token_id > 0'] : []),
    ...(sample === undefined || sample.one_in === 1 ? [] : [`id % ${put(NUMBER, sample.one_in)} = ${put(NUMBER, sample.offset)}`]),
  ]
}

/** The first comparison is the one that the primary key serves. */
function beyond(sign: '<' | '>', place: LogCursor | undefined, put: Put): string[] {
  if (place === undefined) return []
  const { created_at, id } = place
  return [`created_at ${sign}= ${put(NUMBER, created_at)}`, `(created_at, id) ${sign} (${put(NUMBER, created_at)}, ${put(NUMBER, id)})`]
}

function ofKinds({ ids, request_ids, types, states, notStates, has = [], keyword }: LogCondition, put: Put): string[] {
  return [
    ...among('id', NUMBER, ids, put),
    ...among('request_id', 'String', request_ids, put),
    ...among('type', NUMBER, types, put),
    ...among('state', 'String', states, put),
    ...(notStates === undefined ? [] : [`state NOT IN ${put('Array(String)', notStates)}`]),
    ...has.map((column) => `${column} <> ''`),
    ...(keyword === undefined ? [] : [ofKeyword(keyword, put)]),
  ]
}

function ofKeyword({ type, start }: NonNullable<LogCondition['keyword']>, put: Put): string {
  const isType = `type = ${put(NUMBER, type)}`
  return start === undefined ? isType : `(${isType} OR startsWith(content, ${put('String', start)}))`
}
