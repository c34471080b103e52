import { startPaymentVendors, EPAY, STRIPE } from '@tollgate/testing/payment-vendors'
import { must, ROOT_USER, type Api } from '../../support/api.ts'
import { addFunding, type Clients } from '../clients.ts'
import type { Cluster } from '../cluster.ts'
import { importToken } from '../imported-accounts.ts'
import { createRandom, type Random } from '../random.ts'
import { adjustment } from './adjustment.ts'
import { createCodePool } from './code-pool.ts'
import { invite, INVITE_QUOTA, transfer } from './invite.ts'
import type { Operation, OperationContext, OperationRecord, Operator } from './operation.ts'
import { purchase } from './purchase.ts'
import { redemption } from './redemption.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { openSession } from './session.ts'
import { createTasks, task, type Tasks } from './task.ts'

/** Operations that move money without a request. Another kind is a file with an `Operation` and a line here. */
const OPERATIONS = { purchase, redemption, adjustment, transfer, invite, task } as const satisfies Record<string, Operation>
export type OperationKind = keyof typeof OPERATIONS
export const OPERATION_KINDS = Object.keys(OPERATIONS).filter((kind): kind is OperationKind => kind in OPERATIONS)

const USERS = 8
const PASSWORD = 'a-long-password'

export type Operations = {
  readonly records: readonly OperationRecord[]
  readonly tasks: Tasks
  /** Starts no more operations and resolves when the last one has finished. */
  finish(): Promise<void>
}

type Settings = {
  readonly seed: number
  readonly width: number
  readonly kinds: readonly OperationKind[]
  /** Bounds of the milliseconds that an operator waits after each operation. */
  readonly pause: readonly [number, number]
}

/** Creates users and a payment vendor, and runs `width` operations at a time. The users' tokens take part in the load. */
export async function startOperations(cluster: Cluster, clients: Clients, { seed, width, kinds, pause }: Settings): Promise<Operations> {
  const random = createRandom(seed + 1)
  const vendors = await startPaymentVendors()
  const { url } = cluster.controlPlane
  const root = await openSession(url, ROOT_USER, random)
  const operators = await createOperators(cluster, clients, random)
  let last = 0
  const serial = (): number => (last += 1)
  await setOptions(await clients.api(), { vendorUrl: vendors.url, ownUrl: url })
  const tasks = await createTasks(cluster, clients, seed)
  const shared = { tasks, url, root, operators, vendors, codes: createCodePool(root, serial), serial }
  const ids = new Map(operators.map(({ session }) => [session.username, session.userId]))
  const records: OperationRecord[] = []
  let isOver = false
  const runOperator = async (at: number): Promise<void> => {
    const context = { ...shared, random: createRandom(seed * 1009 + at) }
    while (!isOver) {
      const record = await runOne(context, kinds)
      records.push(record)
      if (record.outcome === 'booked') noteFunding(clients, ids, record)
      const pauseMs = context.random.between(...pause)
      if (pauseMs > 0) await wait(pauseMs)
    }
  }
  const runs = Array.from({ length: width }, (_, at) => runOperator(at))
  return {
    records,
    tasks,
    finish: async () => {
      isOver = true
      await Promise.all(runs)
      await vendors.close()
    },
  }
}

async function runOne(context: OperationContext, kinds: readonly OperationKind[]): Promise<OperationRecord> {
  let left = context.random.next() * kinds.reduce((sum, kind) => sum + OPERATIONS[kind].weight, 0)
  const kind = kinds.find((one) => (left -= OPERATIONS[one].weight) < 0) ?? kinds[0] ?? 'purchase'
  const operation: Operation = OPERATIONS[kind]
  const started_at = Date.now()
  const result = await operation.run(context)
  return { kind, ...result, started_at, ended_at: Date.now() }
}

/** An older Postgres takes credits back; the audit of balances must know what was spent from them. */
function noteFunding({ funding }: Clients, ids: ReadonlyMap<string, number>, { entries }: OperationRecord): void {
  for (const { kind, amount, usernames } of entries) {
    const id = ids.get(usernames[0] ?? '')
    if (id !== undefined && kind !== 'reward' && amount > 0) addFunding(funding, `user ${id}`, amount)
  }
}

async function createOperators(cluster: Cluster, clients: Clients, random: Random): Promise<Operator[]> {
  const api = await clients.api()
  const operators: Operator[] = []
  for (let at = 0; at < USERS; at += 1) {
    const credentials = { username: `operator${at}`, password: PASSWORD }
    must(await api.post('/api/user/', credentials))
    const session = await openSession(cluster.controlPlane.url, credentials, random)
    const invited = await session.call('get', '/api/user/aff')
    operators.push({ session, inviteCode: String(invited?.data) })
    clients.users.push(session.userId)
    clients.accounts.push(await importToken(cluster, { userId: session.userId, granted: 1_000_000_000 }))
  }
  return operators
}

async function setOptions(api: Api, { vendorUrl, ownUrl }: { vendorUrl: string; ownUrl: string }): Promise<void> {
  const options = {
    ServerAddress: ownUrl,
    PayAddress: `${vendorUrl}/epay/`,
    EpayId: EPAY.id,
    EpayKey: EPAY.key,
    StripeApiSecret: STRIPE.secret,
    StripeWebhookSecret: STRIPE.webhook,
    StripeApiAddress: vendorUrl,
    QuotaForInvitee: String(INVITE_QUOTA.invitee),
    QuotaForInviter: String(INVITE_QUOTA.inviter),
  }
  for (const [key, value] of Object.entries(options)) must(await api.put('/api/option/', { key, value }))
}
