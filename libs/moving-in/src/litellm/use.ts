import type { HourRecord, LogRecord } from '@tollgate/contracts/moving-in/records'
import { z } from 'zod'
import type { Cells } from '../cells/cells.ts'
import type { Made } from '../source.ts'
import { NO_OWNER } from './accounts.ts'
import { costOf, costsIn } from './costs.ts'
import { idOf, timeAt, toQuota } from './values.ts'

export const LOGS = 'LiteLLM_SpendLogs'
/** Sums of each day, key and model. */
export const USER_DAYS = 'LiteLLM_DailyUserSpend'
export const TEAM_DAYS = 'LiteLLM_DailyTeamSpend'

const CONSUMED = 2
const ERROR = 5

/** The account that a request belongs to: the team of its key, else its user. */
function accountOf({ team, user }: { readonly team: string; readonly user: string }): number {
  if (team !== '') return idOf('team', team)
  return idOf('user', user === '' ? NO_OWNER : user)
}

/** A day stands at its first hour. */
export function toDay(cells: Cells, table: string): Made<HourRecord> {
  const id = cells.text('id')
  const hour = Date.parse(`${cells.text('date')}T00:00:00Z`) / 1000
  if (!Number.isFinite(hour)) return { refused: 'time' }
  return {
    record: {
      origin: { table, id },
      notes: cells.notes,
      id: idOf('day', `${table} ${id}`),
      user_id: accountOf({ team: table === TEAM_DAYS ? cells.text('team_id') : '', user: cells.text('user_id') }),
      model: cells.text('model_group') || cells.text('model'),
      hour,
      requests: cells.int('api_requests', 0, { min: 0 }),
      tokens: cells.int('prompt_tokens', 0, { min: 0 }) + cells.int('completion_tokens', 0, { min: 0 }),
      quota: toQuota(Math.max(0, cells.number('spend'))),
    },
  }
}

const count = z.number().optional().catch(undefined)
const Metadata = z.looseObject({
  user_api_key_alias: z.string().nullish().catch(null),
  additional_usage_values: z.looseObject({ cache_read_input_tokens: count, cache_creation_input_tokens: count }).nullish().catch(null),
  model_map_information: z
    .looseObject({ model_map_value: z.looseObject({}).nullish() })
    .nullish()
    .catch(null),
  error_information: z.looseObject({ error_message: z.string().nullish() }).nullish().catch(null),
})

const metadataOf = (cells: Cells): z.infer<typeof Metadata> => Metadata.safeParse(cells.json('metadata')).data ?? {}

/** Tags that an operator's clients set; the proxy adds the name of the client itself. */
function tagsOf(cells: Cells): string[] {
  const tags = z.array(z.string()).safeParse(cells.json('request_tags')).data ?? []
  return tags.filter((tag) => !tag.startsWith('User-Agent:'))
}

export function toLog(cells: Cells): Made<LogRecord> {
  const request_id = cells.text('request_id')
  const created_at = timeAt(cells, 'startTime')
  if (created_at === undefined) return { refused: 'time' }
  const { user_api_key_alias, additional_usage_values, error_information } = metadataOf(cells)
  const isFailed = cells.text('status') === 'failure'
  const tags = tagsOf(cells)
  const other = {
    cache_tokens: additional_usage_values?.cache_read_input_tokens ?? 0,
    cache_creation_tokens: additional_usage_values?.cache_creation_input_tokens ?? 0,
    ...(tags.length === 0 ? {} : { tags }),
    ...(cells.text('end_user') === '' ? {} : { end_user: cells.text('end_user') }),
  }
  const key = cells.text('api_key')
  return {
    record: {
      origin: { table: LOGS, id: request_id },
      notes: cells.notes,
      id: idOf('request', request_id),
      created_at,
      type: isFailed ? ERROR : CONSUMED,
      user_id: accountOf({ team: cells.text('team_id'), user: cells.text('user') }),
      username: cells.text('team_id') || cells.text('user'),
      token_id: key === '' ? 0 : idOf('key', key),
      token_name: user_api_key_alias ?? '',
      channel_id: 0,
      model: cells.text('model_group') || cells.text('model'),
      group: '',
      quota: toQuota(Math.max(0, cells.number('spend'))),
      prompt_tokens: cells.int('prompt_tokens', 0, { min: 0, max: 1e12 }),
      completion_tokens: cells.int('completion_tokens', 0, { min: 0, max: 1e12 }),
      use_time: Math.round(Math.min(cells.int('request_duration_ms', durationMs(cells), { min: 0 }), 1e9) / 1000),
      is_stream: false,
      content: isFailed ? (error_information?.error_message ?? '') : '',
      other: JSON.stringify(other),
      request_id,
    },
  }
}

const durationMs = (cells: Cells): number => Math.max(0, ((timeAt(cells, 'endTime') ?? 0) - (timeAt(cells, 'startTime') ?? 0)) * 1000)

/** A charged request with what it costs by the formula, from the costs that its row states. */
export function toSample(cells: Cells): LogRecord | undefined {
  const made = toLog(cells)
  if (!('record' in made) || made.record.type !== CONSUMED || made.record.quota === 0) return undefined
  const { record } = made
  const other: { cache_tokens: number; cache_creation_tokens: number } = JSON.parse(record.other)
  const formula_cost = costOf(costsIn(metadataOf(cells).model_map_information?.model_map_value ?? {}), {
    prompt: record.prompt_tokens,
    cached: other.cache_tokens,
    written: other.cache_creation_tokens,
    completion: record.completion_tokens,
  })
  return { ...record, other: JSON.stringify({ ...other, ...(formula_cost === undefined ? {} : { formula_cost }) }) }
}
