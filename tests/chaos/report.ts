import type { auditBalances } from './audit-balances.ts'
import type { RequestAudit, ViolationKind } from './audit-requests.ts'
import { KILLS } from './faults.ts'
import type { ClientRequest } from './load.ts'
import { isIdle, type RemainingWork } from './wait-for-idle.ts'
import type { InjectedFault } from './fault-injector.ts'
import type { Member } from './cluster.ts'
import type { TaskAudit } from './tasks/audit-tasks.ts'
import type { OperationAudit } from './operations/audit-operations.ts'

type Report = {
  readonly lastedMs: number
  readonly requests: readonly ClientRequest[]
  readonly audit: RequestAudit
  readonly balances: Awaited<ReturnType<typeof auditBalances>>
  readonly money: OperationAudit
  readonly tasks: TaskAudit
  /** Accounts whose balances differ between Redis and Postgres in the idle system. */
  readonly different: readonly string[]
  /** Records of recovery: repaired shards, sequence numbers without an event, events that were lost. */
  readonly repairs: { readonly repairs: number; readonly missing: number; readonly lost: number }
  readonly remaining: RemainingWork
  readonly leftHolds: readonly string[]
  readonly blockedQueries: readonly string[]
  readonly verification: { readonly isSound: boolean; readonly text: string }
  readonly injected: readonly InjectedFault[]
  readonly members: readonly Member[]
}

const MAX_SHOWN = 20

/** Prints the table and each violation; true without violations. */
export function printReport({
  lastedMs,
  requests,
  audit,
  balances,
  money,
  tasks,
  different,
  repairs,
  remaining,
  leftHolds,
  blockedQueries,
  verification,
  injected,
  members,
}: Report): boolean {
  const { counts, refused, violations, unrecoverable, worstEstimate, longestUncharged } = audit
  const count = (kind: ViolationKind): number => violations.filter((one) => one.kind === kind).length
  const drift = balances.drifted.length + different.length + (verification.isSound ? 0 : 1) + (isIdle(remaining) ? 0 : 1)
  const endings = countByName(requests.map(({ ending }) => ending))
  const line = (name: string, value: string | number): void => void process.stdout.write(`${name.padEnd(28)} ${value}\n`)
  line('requests', `${requests.length} in ${Math.round(lastedMs / 1000)} s (${text(endings)})`)
  line('operations', `${sumOf(money.counts)}, ${money.entries} entries (${text(money.counts)})`)
  line('tasks', `${sumOf(tasks.outcomes)} submitted (${text(tasks.outcomes)}), ${sumOf(tasks.states)} taken (${text(tasks.states)})`)
  line('tasks, charged − delivered', `${tasks.charged - tasks.delivered} of ${tasks.charged}`)
  line('tasks, known to vendors only', tasks.unknown)
  line('tasks, charges lost by two', tasks.unrecoverable)
  line('admitted', counts.admitted)
  line('refused', text(refused))
  line('of groups that change', `${counts.crossing}, ${counts.moved} answered by a later group`)
  line('answered by another model', counts.fallback)
  line('settled', counts.settled)
  line('estimated', counts.estimated)
  line('released', counts.released)
  line('late', counts.late)
  line('ended by the reaper', counts.reaped)
  line('cut responses', `${counts.cut} (${counts.excused} of them undercharged while Redis was unavailable)`)
  line('faults', text(countByName(injected.map(({ kind, error }) => (error === undefined ? kind : `${kind} (failed)`)))))
  line('kills and stops', injected.filter(({ kind }) => KILLS.includes(kind)).length)
  line(
    'exited by themselves',
    text(new Map(members.flatMap(({ name, crashes }) => (crashes().length > 0 ? [[name, crashes().length]] : [])))) || 'none',
  )
  for (const crash of members.flatMap((member) => member.crashes())) process.stdout.write(`  ${crash}\n`)
  line('holds open until the stop', leftHolds.length)
  line('largest estimation error', `${(worstEstimate.error * 100).toFixed(0)} % ${worstEstimate.detail}`)
  line('longest uncharged delivery', `${longestUncharged.ms} ms ${longestUncharged.detail}`)
  line('unrecoverable (two faults)', unrecoverable.length)
  line('recovery', `${repairs.repairs} shards repaired, ${repairs.missing} events missing, ${repairs.lost} lost`)
  line('windows of budgets', `${balances.budgets.counted}, ${balances.budgets.reached} of them used up`)
  line('below zero by lost writes', balances.swapped.length)
  line('credits taken back', money.takenBack)
  line('wrong credits', money.wrong.length)
  line('wrong tasks', tasks.wrong.length)
  line('overspend', balances.overspent.length)
  line('over budget', balances.overspent.filter((text) => text.startsWith('budget ')).length)
  line('lost', count('lost'))
  line('duplicated', count('duplicated'))
  line('mischarged', count('mischarged'))
  line('behind', count('behind'))
  line('drift', drift)
  show('wrong credit', money.wrong)
  show('wrong task', tasks.wrong)
  show('overspend', balances.overspent)
  show('drift', [...balances.drifted, ...different])
  for (const kind of ['lost', 'duplicated', 'mischarged', 'behind'] as const)
    show(
      kind,
      violations.filter((one) => one.kind === kind).map(({ id, detail }) => `${id}: ${detail}`),
    )
  show(
    'unrecoverable',
    unrecoverable.map(({ kind, id, detail }) => `${kind} ${id}: ${detail}`),
  )
  show('swapped', balances.swapped)
  show('hold left open', audit.leftOpen, 2)
  if (!isIdle(remaining))
    show('not idle', [
      `holds ${remaining.holds.join(' ') || 'none'}, unposted ${remaining.unposted}, outbox ${remaining.outbox}, tasks ${remaining.tasks}, ${remaining.suspect.join(', ')}`,
    ])
  show('blocked in Postgres', blockedQueries)
  const isSound =
    violations.length +
      balances.overspent.length +
      money.wrong.length +
      tasks.wrong.length +
      Math.abs(tasks.charged - tasks.delivered) +
      drift ===
    0
  if (!verification.isSound) process.stdout.write(`verify:ledger\n${verification.text}`)
  if (!isSound || unrecoverable.length > 0) showFaults(injected)
  return isSound
}

function showFaults(injected: readonly InjectedFault[]): void {
  for (const { kind, target, from, to, error } of injected) {
    process.stdout.write(
      `  ${new Date(from).toISOString()} ${kind} ${target} for ${to - from} ms${error === undefined ? '' : ` (${error})`}\n`,
    )
  }
}

function show(title: string, lines: readonly string[], most = MAX_SHOWN): void {
  for (const one of lines.slice(0, most)) process.stdout.write(`${title}: ${one}\n`)
  if (lines.length > most) process.stdout.write(`${title}: … and ${lines.length - most} more\n`)
}

function countByName(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const sumOf = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0)

const text = (counts: ReadonlyMap<string, number>): string => [...counts].map(([name, times]) => `${name} ${times}`).join(', ')
