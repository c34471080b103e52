import { createChannel, must } from '../../support/api.ts'
import type { Clients } from '../clients.ts'
import { importBudget, importToken, importUser } from '../imported-accounts.ts'
import type { Cluster } from '../cluster.ts'
import type { Account } from '../load.ts'
import type { Random } from '../random.ts'
import type { TaskRecord } from '../tasks/audit-tasks.ts'
import { readTask, submitTask } from '../tasks/task-calls.ts'
import { TASK_KINDS, TASK_PRICE_USD, taskIdOf } from '../tasks/task-script.ts'
import { startTaskVendor, type TaskVendor } from '../tasks/task-vendor.ts'
import type { Operation } from './operation.ts'

/** Context of submissions: their vendor, who pays, and what their clients saw. */
export type Tasks = {
  readonly vendor: TaskVendor
  readonly relays: Cluster['relays']
  readonly accounts: readonly Account[]
  readonly records: TaskRecord[]
  /** Who submitted a task, by our id. */
  readonly owners: Map<string, Account>
  readonly nextId: () => string
}

const CREDIT = 4_000_000_000

/** Creates the channels and prices of every kind, and users with enough money. */
export async function createTasks(cluster: Cluster, clients: Clients, seed: number): Promise<Tasks> {
  const { relays } = cluster
  const vendor = await startTaskVendor(relays.map(({ url }) => url))
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
  for (let at = 0; at < 3; at += 1) {
    const userId = await importUser(cluster, CREDIT)
    accounts.push(await importToken(cluster, { userId, granted: CREDIT }))
    // Counts each task and what a failed one gives back, and is never reached.
    await importBudget(cluster, { user_id: userId, amount: CREDIT })
  }
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
    const started_at = Date.now()
    const answer = await submitTask({ relay: relay.url, key: account.key, id })
    const task_id = answer?.task_id ?? ''
    const outcome = task_id !== '' ? 'booked' : answer === undefined || answer.status >= 500 ? 'unanswered' : 'refused'
    tasks.records.push({ id, task_id, outcome, relay: relay.name, started_at, ended_at: Date.now(), seen: [], media_status: 0 })
    if (task_id !== '') tasks.owners.set(task_id, account)
    if (random.chance(0.4)) await ask(tasks, random, relay.url)
    return { outcome, entries: [] }
  },
}

/** Fetches a recent task and, if it succeeded, its media. */
async function ask({ records, owners }: Tasks, random: Random, relay: string): Promise<void> {
  const at = records.length - 1 - random.int(Math.min(records.length, 300))
  const record = records[at]
  const account = owners.get(record?.task_id ?? '')
  if (record === undefined || account === undefined) return
  const found = await readTask({ relay, key: account.key, id: record.id }, record.task_id)
  if (found === undefined) return
  record.seen.push(found.end)
  if (found.media_status !== 0) record.media_status = found.media_status
}
