import { LogType } from '@tollgate/contracts/enums'
import type { HourRecord, LogRecord } from '@tollgate/contracts/moving-in/records'
import { HOUR_SECONDS } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import type { NewLogRow } from '@tollgate/db/log-store'
import { addUsageHours, insertLogs, type UsageHourRow } from '@tollgate/db/queries/ledger/posting'
import { toHistogram } from '@tollgate/db/duration-histogram'
import { amountIn, recordOf, type Made, type Run, type Writer } from './carry.ts'
import { addCarriedUse, channelUse, NO_USE } from './money.ts'

type Change = { readonly record: HourRecord; readonly before: { requests: number; tokens: number; quota: number } }

/** Hours from which on log rows are carried are made by these; a run that begins to carry them takes the sums of an earlier one back. */
export function hourWriter(logsSince: number | undefined): Writer<'hours'> {
  return {
    kind: 'hours',
    ...(logsSince === undefined ? {} : { variant: `log rows since ${logsSince}` }),
    idOf: ({ id }) => String(id),
    create: async (run, tx, records) => {
      const none = { requests: 0, tokens: 0, quota: 0 }
      return await addHours(run, tx, { logsSince, changes: records.map((record) => ({ record, before: none })) })
    },
    update: async (run, tx, record, row) => {
      const before = { requests: amountIn(row, 'requests'), tokens: amountIn(row, 'tokens'), quota: amountIn(row, 'quota') }
      return (await addHours(run, tx, { logsSince, changes: [{ record, before }] }))[0]
    },
  }
}

async function addHours(
  run: Run,
  tx: Tx,
  { logsSince, changes }: { readonly logsSince: number | undefined; readonly changes: readonly Change[] },
): Promise<(Made | undefined)[]> {
  const users = await run.ids.resolve(
    tx,
    'users',
    changes.map(({ record }) => record.user_id),
  )
  const rows = new Map<string, UsageHourRow>()
  const made = changes.map(({ record, before }): Made | undefined => {
    const user_id = users.get(record.user_id)
    if (user_id === undefined) {
      run.found.refuse('hours', { kind: 'hours', at: `${record.origin.table} ${record.origin.id}`, code: 'no-owner', detail: '' })
      return undefined
    }
    const isOfLogs = logsSince !== undefined && record.hour >= logsSince
    const { requests, tokens, quota } = isOfLogs ? { requests: 0, tokens: 0, quota: 0 } : record
    const added = { requests: requests - before.requests, quota: quota - before.quota, prompt_tokens: tokens - before.tokens }
    const key = { ...keyOf(record.hour, user_id), model_name: record.model, type: LogType.consume }
    if (Object.values(added).some((amount) => amount !== 0)) addTo(rows, key, added)
    return { target_id: 0, state: { requests, tokens, quota } }
  })
  const added = [...rows.values()]
  await addUsageHours(tx, added)
  await addCarriedUse(
    run,
    tx,
    added.map(({ user_id, quota }) => ({ user_id, quota: 0 - quota })),
  )
  return made
}

type HourKey = Pick<UsageHourRow, 'hour' | 'user_id' | 'token_id' | 'channel_id' | 'model_name' | 'group' | 'token_name' | 'type'>
type Added = Partial<
  Pick<
    UsageHourRow,
    | 'requests'
    | 'quota'
    | 'prompt_tokens'
    | 'completion_tokens'
    | 'use_time_ms'
    | 'logged_requests'
    | 'logged_quota'
    | 'input_tokens'
    | 'cached_tokens'
    | 'latency'
  >
>

const keyOf = (hour: number, user_id: number) => ({ hour, user_id, token_id: 0, channel_id: 0, group: '', token_name: '' })

function addTo(rows: Map<string, UsageHourRow>, key: HourKey, added: Added): void {
  const text = JSON.stringify(key)
  const row = rows.get(text) ?? {
    ...key,
    ...NO_USE,
    input_tokens: 0,
    cached_tokens: 0,
    latency: 0n,
  }
  row.requests += added.requests ?? 0
  row.quota += added.quota ?? 0
  row.prompt_tokens += added.prompt_tokens ?? 0
  row.completion_tokens += added.completion_tokens ?? 0
  row.use_time_ms += added.use_time_ms ?? 0
  row.logged_requests += added.logged_requests ?? 0
  row.logged_quota += added.logged_quota ?? 0
  row.input_tokens = (row.input_tokens ?? 0) + (added.input_tokens ?? 0)
  row.cached_tokens = (row.cached_tokens ?? 0) + (added.cached_tokens ?? 0)
  row.latency = (row.latency ?? 0n) + (added.latency ?? 0n)
  rows.set(text, row)
}

/** Log rows with their hours. What they cost is taken off the use that the accounts carried. */
export async function writeLogs(run: Run, tx: Tx, records: readonly LogRecord[]): Promise<void> {
  const [users, tokens, channels] = [
    await run.ids.resolve(
      tx,
      'users',
      records.map(({ user_id }) => user_id),
    ),
    await run.ids.resolve(
      tx,
      'tokens',
      records.map(({ token_id }) => token_id),
    ),
    await run.ids.resolve(
      tx,
      'channels',
      records.map(({ channel_id }) => channel_id),
    ),
  ]
  const rows = records.map((record) => toLogRow(record, { users, tokens, channels }))
  const hours = new Map<string, UsageHourRow>()
  for (const row of rows) addLogToHours(hours, row)
  await insertLogs(tx, rows)
  await addUsageHours(tx, [...hours.values()])
  await addCarriedUse(
    run,
    tx,
    [...hours.values()].flatMap(({ user_id, token_id, channel_id, token_name, quota }) => [
      ...(token_id === 0 ? [{ user_id, quota: 0 - quota }] : [{ user_id, token_id, token_name, quota: 0 - quota }]),
      ...(channel_id === 0 ? [] : channelUse(channel_id, 0 - quota)),
    ]),
  )
}

type Maps = { readonly [K in 'users' | 'tokens' | 'channels']: ReadonlyMap<number, number> }

function toLogRow(record: LogRecord, { users, tokens, channels }: Maps): NewLogRow {
  const user_id = users.get(record.user_id) ?? 0
  return {
    created_at: record.created_at,
    type: record.type,
    user_id,
    username: record.username,
    token_id: user_id === 0 ? 0 : (tokens.get(record.token_id) ?? 0),
    token_name: record.token_name,
    channel_id: channels.get(record.channel_id) ?? 0,
    model_name: record.model,
    group: record.group,
    quota: record.quota,
    prompt_tokens: record.prompt_tokens,
    completion_tokens: record.completion_tokens,
    use_time: record.use_time,
    is_stream: record.is_stream,
    content: record.content,
    other: otherText(record),
    // A request id is one of this gateway: its row has the usage and quote that its charge follows from.
    request_id: '',
    state: '',
    usage: null,
    quote: null,
    explanation: null,
  }
}

function otherText({ other, request_id }: LogRecord): string {
  if (request_id === '') return other
  const fields = other === '' ? {} : recordOf(JSON.parse(other))
  return JSON.stringify({ ...fields, source_request_id: request_id })
}

function addLogToHours(hours: Map<string, UsageHourRow>, row: NewLogRow): void {
  const { user_id, token_id, channel_id, model_name, group, token_name, type, quota, prompt_tokens, completion_tokens } = row
  const isRequest = type === LogType.consume || type === LogType.error
  const key = { hour: row.created_at - (row.created_at % HOUR_SECONDS), user_id, token_id, channel_id, model_name, group, token_name, type }
  addTo(hours, key, {
    logged_requests: 1,
    logged_quota: quota,
    quota,
    ...(isRequest ? { requests: 1, prompt_tokens, completion_tokens, use_time_ms: row.use_time * 1000, input_tokens: prompt_tokens } : {}),
    ...(type === LogType.consume ? { latency: toHistogram(row.use_time * 1000) } : {}),
  })
}
