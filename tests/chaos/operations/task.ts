import { createChannel, must } from '../../support/api.ts'
import { importToken, importUser, type Clients } from '../clients.ts'
import type { Cluster } from '../cluster.ts'
import type { Account } from '../load.ts'
import type { Random } from '../random.ts'
import type { TaskRecord } from '../tasks/audit-tasks.ts'
import { TASK_KINDS, TASK_PRICE_USD, taskIdOf, taskPrompt, taskScriptOf, type TaskKind } from '../tasks/task-script.ts'
import { startTaskVendor, type TaskVendor } from '../tasks/task-vendor.ts'
import type { Operation } from './operation.ts'

/** What submissions need: their vendor, who pays, and what their clients saw. */
export type Tasks = {
  readonly vendor: TaskVendor
  readonly relays: readonly string[]
  readonly accounts: readonly Account[]
  readonly records: TaskRecord[]
  /** Who submitted a task, by our id. */
  readonly owners: Map<string, Account>
  readonly nextId: () => string
}

const CREDIT = 4_000_000_000

/** Creates the channels and prices of every kind, and users with enough money. */
export async function createTasks(cluster: Cluster, clients: Clients, seed: number): Promise<Tasks> {
  const relays = cluster.relays.map(({ url }) => url)
  const vendor = await startTaskVendor(relays)
  const api = await clients.api()
  const kinds = Object.entries(TASK_KINDS)
  const options = must(await api.get<{ key: string; value: string }[]>('/api/option/'))
  const prices = JSON.parse(options.find(({ key }) => key === 'ModelPrice')?.value ?? '{}') as object // the option's own value
  const added = Object.fromEntries(kinds.map(([, { model }]) => [model, TASK_PRICE_USD]))
  must(await api.put('/api/option/', { key: 'ModelPrice', value: JSON.stringify({ ...prices, ...added }) }))
  must(await api.put('/api/option/', { key: 'MjNotifyEnabled', value: 'true' }))
  for (const [name, { channelType: type, model: models }] of kinds)
    await createChannel(api, { name, type, base_url: vendor.url, models, auto_ban: 0, key: 'access|secret' })
  const accounts: Account[] = []
  for (let at = 0; at < 3; at += 1) accounts.push(await importToken(cluster, await importUser(cluster, CREDIT), CREDIT))
  let last = 0
  return { vendor, relays, accounts, records: [], owners: new Map(), nextId: () => taskIdOf(seed, (last += 1)) }
}

/** A client submits a task once, and sometimes asks for one that it submitted before. */
export const task: Operation = {
  weight: 8,
  run: async ({ tasks, random }) => {
    const relay = random.pick(tasks.relays)
    const account = random.pick(tasks.accounts)
    const id = tasks.nextId()
    const { kind } = taskScriptOf(id)
    const answer = await call(relay + SUBMIT_PATHS[kind], account, bodyOf(kind, id))
    const task_id = answer === undefined ? '' : idIn(kind, answer.body)
    const outcome = task_id !== '' ? 'booked' : answer === undefined || answer.status >= 500 ? 'unanswered' : 'refused'
    tasks.records.push({ id, task_id, outcome, seen: [], media_status: 0 })
    if (task_id !== '') tasks.owners.set(task_id, account)
    if (random.chance(0.4)) await ask(tasks, random, relay)
    return { outcome, entries: [] }
  },
}

const SUBMIT_PATHS: Readonly<Record<TaskKind, string>> = {
  midjourney: '/mj/submit/imagine',
  suno: '/suno/submit/music',
  sora: '/v1/videos',
  kling: '/v1/video/generations',
  jimeng: '/v1/videos',
  vidu: '/v1/video/generations',
  doubao: '/v1/videos',
}

const bodyOf = (kind: TaskKind, id: string): object =>
  kind === 'midjourney' || kind === 'suno' ? { prompt: taskPrompt(id) } : { prompt: taskPrompt(id), model: TASK_KINDS[kind].model }

type Json = Readonly<Record<string, unknown>>

function idIn(kind: TaskKind, body: Json): string {
  const id = kind === 'midjourney' && body['code'] === 1 ? body['result'] : kind === 'suno' ? body['data'] : (body['id'] ?? body['task_id'])
  return typeof id === 'string' ? id : ''
}

/** Fetches a recent task and, if it succeeded, its media. */
async function ask({ records, owners }: Tasks, random: Random, relay: string): Promise<void> {
  const at = records.length - 1 - random.int(Math.min(records.length, 300))
  const record = records[at]
  const account = owners.get(record?.task_id ?? '')
  if (record === undefined || account === undefined) return
  const { kind } = taskScriptOf(record.id)
  const drawing = kind === 'midjourney' ? `/mj/task/${record.task_id}/fetch` : `/suno/fetch/${record.task_id}`
  const path = kind === 'midjourney' || kind === 'suno' ? drawing : `/v1/videos/${record.task_id}`
  const answer = await call(relay + path, account)
  const end = answer?.status === 200 ? endIn(answer.body) : undefined
  if (end === undefined) return
  record.seen.push(end)
  if (end !== 'success' || kind === 'suno') return
  const media = kind === 'midjourney' ? `/mj/image/${record.task_id}` : `${path}/content`
  record.media_status = (await call(relay + media, account))?.status ?? 0
}

const ENDS_OF: Readonly<Record<string, 'success' | 'failure'>> = {
  SUCCESS: 'success',
  completed: 'success',
  FAILURE: 'failure',
  failed: 'failure',
}

function endIn(body: Json): 'success' | 'failure' | undefined {
  const of = typeof body['data'] === 'object' && body['data'] !== null ? (body['data'] as Json) : body
  return typeof of['status'] === 'string' ? ENDS_OF[of['status']] : undefined
}

const TIMEOUT_MS = 20_000

/** `undefined`: the relay did not answer. */
async function call(url: string, account: Account, body?: object): Promise<{ status: number; body: Json } | undefined> {
  try {
    const answer = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer sk-${account.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
    return { status: answer.status, body: isJson ? (JSON.parse(text) as Json) : {} }
  } catch {
    return undefined
  }
}
