import { randomBytes } from 'node:crypto'
import { sealedBy } from '@tollgate/config/sealing'
import { ChannelStatus, LogType, Role } from '@tollgate/contracts/enums'
import { dayOfRequestId } from '@tollgate/contracts/relay/usage-event'
import type { Tx } from '@tollgate/db/connect'
import { EMPTY_HISTOGRAM, toHistogram } from '@tollgate/db/duration-histogram'
import type { NewLogRow } from '@tollgate/db/log-store'
import { createChannels, takeChannelIds } from '@tollgate/db/queries/channels/channels'
import {
  addChannelUsage,
  addSpending,
  addTokenSpending,
  addUsageHours,
  claimUsageKeys,
  insertLogs,
  type UsageHourRow,
} from '@tollgate/db/queries/ledger/posting'
import { createPartition, logPartition } from '@tollgate/db/queries/logs/partitions'
import { insertTasks } from '@tollgate/db/queries/tasks/task-list'
import { createToken } from '@tollgate/db/queries/tokens/tokens'
import { createUser } from '@tollgate/db/queries/users/users'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import type { Deps } from '../deps.ts'
import { createInviteCode } from '../resources/setup/invite-code.ts'
import { createKey } from '../resources/tokens/key.ts'
import { hashPassword } from '../authentication/passwords.ts'
import { fillWallets } from './wallets.ts'
import { demoExplanation, demoQuote, demoRequestId, demoUsage } from './course.ts'
import { demoTasks } from './tasks.ts'
import { CHANNELS, MODELS, USERS, type DemoRequest } from './traffic.ts'

type SeedDeps = Pick<Deps, 'sealers'> & { readonly shards: number; readonly now: number }
type MadeUser = { readonly id: number; readonly tokens: readonly number[] }

const HOUR = 3600
const BATCH = 2000

/** Writes accounts, channels and their requests as posting writes them, so that every sum of the ledger holds. One transaction. */
export async function writeDemo(tx: Tx, deps: SeedDeps, requests: readonly DemoRequest[], password: string): Promise<void> {
  const channels = await createDemoChannels(tx, deps)
  const users: MadeUser[] = []
  const password_hash = await hashPassword(password)
  for (const user of USERS) users.push(await createDemoUser(tx, deps, user, password_hash))
  // Thirty days touch at most three months.
  for (const ahead of [-2, -1, 0]) await createPartition(tx, logPartition(new Date(deps.now * 1000), ahead))
  const rows = requests.map((request, index) => toLogRow(request, index, users, channels))
  for (let start = 0; start < rows.length; start += BATCH) await insertLogs(tx, rows.slice(start, start + BATCH))
  await claimKeys(tx, rows)
  const hours = [...sumBy(rows, requests).values()]
  for (let start = 0; start < hours.length; start += BATCH) await addUsageHours(tx, hours.slice(start, start + BATCH))
  await recordCharges(tx, deps, users, hours)
  await insertTasks(tx, demoTasks({ now: deps.now, users: users.map(({ id }) => id), channel: channels[0] ?? 0 }))
}

/** Disabled: nothing must ever be sent to them. */
async function createDemoChannels(tx: Tx, { sealers, now }: SeedDeps): Promise<readonly number[]> {
  const ids = await takeChannelIds(tx, CHANNELS.length)
  const rows = CHANNELS.map(({ name, type, prefixes, cost_ratio, weight }, index) => {
    const id = ids[index] ?? 0
    const key = randomBytes(18).toString('hex')
    const models = MODELS.filter((model) => prefixes.some((prefix) => model.name.startsWith(prefix))).map((model) => model.name)
    return {
      id,
      name,
      type,
      key_sealed: sealers.channels.seal(key, sealedBy.channelKey(id)),
      key_hash: sealers.channels.fingerprint(key),
      status: ChannelStatus.disabled,
      group: 'default,vip',
      models: models.join(','),
      tag: 'demo',
      setting: JSON.stringify({ cost_ratio }),
      openai_organization: '',
      test_model: '',
      base_url: '',
      other: '',
      model_mapping: '',
      status_code_mapping: '',
      param_override: '',
      setting_sealed: '',
      max_input_tokens: 0,
      priority: 0,
      weight,
      auto_ban: 1,
      created_time: now,
    }
  })
  await createChannels(tx, rows)
  return ids
}

async function createDemoUser(
  tx: Tx,
  { sealers, shards, now }: SeedDeps,
  { name, group, tokens }: (typeof USERS)[number],
  password_hash: string,
): Promise<MadeUser> {
  const made = { username: name, display_name: '', password_hash, role: Role.user, group, shards, now }
  const id = await createUser(tx, { ...made, aff_code: createInviteCode() })
  const limits = { expired_time: -1, unlimited_quota: true, model_limits_enabled: false, model_limits: '', allow_ips: '', group: '' }
  const ids: number[] = []
  for (const token of tokens) {
    ids.push(await createToken(tx, { ...limits, user_id: id, name: token, created_time: now, ...createKey(sealers.options) }))
  }
  return { id, tokens: ids }
}

function toLogRow(request: DemoRequest, index: number, users: readonly MadeUser[], channels: readonly number[]): NewLogRow {
  const { at, isFailed, prompt_tokens, cached_tokens, completion_tokens, use_time_ms, first_token_ms } = request
  const user = users[request.user]
  const [quote, usage] = [demoQuote(request), demoUsage(request)]
  const { model: model_name, model_ratio, completion_ratio, group_ratio, cache_ratio } = quote
  const ratios = { model_ratio, completion_ratio, group_ratio, cache_ratio, model_price: -1 }
  return {
    created_at: at,
    type: isFailed ? LogType.error : LogType.consume,
    user_id: user?.id ?? 0,
    username: USERS[request.user]?.name ?? '',
    token_id: user?.tokens[request.token] ?? 0,
    token_name: USERS[request.user]?.tokens[request.token] ?? '',
    channel_id: channels[request.channel] ?? 0,
    model_name,
    group: USERS[request.user]?.group ?? '',
    quota: chargeOf(quote, usage).charge,
    prompt_tokens,
    completion_tokens,
    use_time: Math.round(use_time_ms / 1000),
    is_stream: completion_tokens > 0,
    content: isFailed ? 'upstream error 503' : '',
    other: JSON.stringify({ ...ratios, cache_tokens: cached_tokens, frt: first_token_ms }),
    request_id: demoRequestId(request, index),
    state: isFailed ? 'released' : 'settled',
    usage,
    quote,
    explanation: demoExplanation(request, { channels }),
  }
}

/** The keys by which a charge that arrives again would be found. */
async function claimKeys(tx: Tx, rows: readonly NewLogRow[]): Promise<void> {
  const keys = rows.map(({ request_id, user_id, token_id, quota }) => {
    const charge = { user_id, token_id, charge: quota, token_charge: 0 }
    return { day: dayOfRequestId(request_id), request_id, kind: 'final' as const, by: 'relay' as const, ...charge }
  })
  for (let start = 0; start < keys.length; start += BATCH) await claimUsageKeys(tx, keys.slice(start, start + BATCH))
}

function sumBy(rows: readonly NewLogRow[], requests: readonly DemoRequest[]): Map<string, Required<UsageHourRow>> {
  const hours = new Map<string, Required<UsageHourRow>>()
  for (const [index, row] of rows.entries()) {
    const hour = row.created_at - (row.created_at % HOUR)
    const { user_id, token_id, channel_id, model_name, group, token_name, type } = row
    const key = JSON.stringify([hour, user_id, token_id, channel_id, model_name, type])
    const none = { requests: 0, quota: 0, token_quota: 0, prompt_tokens: 0, completion_tokens: 0, use_time_ms: 0 }
    const sum = hours.get(key) ?? {
      hour,
      user_id,
      token_id,
      channel_id,
      model_name,
      group,
      token_name,
      type,
      ...none,
      logged_requests: 0,
      logged_quota: 0,
      input_tokens: 0,
      cached_tokens: 0,
      latency: EMPTY_HISTOGRAM,
      first_token: EMPTY_HISTOGRAM,
      faults: 0,
    }
    sum.requests += 1
    sum.quota += row.quota
    sum.prompt_tokens += row.prompt_tokens
    sum.completion_tokens += row.completion_tokens
    sum.use_time_ms += requests[index]?.use_time_ms ?? 0
    sum.logged_requests += 1
    sum.logged_quota += row.quota
    // Each failure of the demonstration is the vendor's.
    sum.faults += type === LogType.error ? 1 : 0
    sum.input_tokens += row.prompt_tokens
    sum.cached_tokens += requests[index]?.cached_tokens ?? 0
    if (type === LogType.consume) {
      sum.latency += toHistogram(requests[index]?.use_time_ms ?? 0)
      if (row.is_stream) sum.first_token += toHistogram(requests[index]?.first_token_ms ?? 0)
    }
    hours.set(key, sum)
  }
  return hours
}

/** Charges of accounts, tokens and channels, and the wallets that they came from. */
async function recordCharges(tx: Tx, deps: SeedDeps, users: readonly MadeUser[], hours: readonly UsageHourRow[]): Promise<void> {
  const sum = (rows: readonly UsageHourRow[], field: 'quota' | 'requests'): number => rows.reduce((total, row) => total + row[field], 0)
  const entries = <K>(of: (row: UsageHourRow) => K) => [...Map.groupBy(hours, of)]
  const spent = entries(({ user_id }) => user_id).map(([id, rows]) => ({ id, spent: sum(rows, 'quota'), requests: sum(rows, 'requests') }))
  await addSpending(tx, spent)
  await addTokenSpending(
    tx,
    entries(({ token_id }) => token_id).map(([id, rows]) => ({ id, charged: 0, used: sum(rows, 'quota'), accessed_time: deps.now })),
  )
  await addChannelUsage(
    tx,
    entries(({ channel_id }) => channel_id).map(([channel_id, rows]) => ({
      channel_id,
      shard: 0,
      used_quota: sum(rows, 'quota'),
      requests: sum(rows, 'requests'),
    })),
  )
  await fillWallets(
    tx,
    deps,
    users.map(({ id }) => ({ id, spent: spent.find((one) => one.id === id)?.spent ?? 0 })),
  )
}
