import type { auditBalances } from './audit-balances.ts'
import { VIOLATION_KINDS, type RequestAudit, type ViolationKind } from './audit-requests.ts'
import { KILLS } from './faults.ts'
import type { ClientRequest } from './load.ts'
import { isIdle, type RemainingWork } from './wait-for-idle.ts'
import type { InjectedFault } from './fault-injector.ts'
import type { Member } from './cluster.ts'
import type { TaskAudit } from './tasks/audit-tasks.ts'
import type { OperationAudit } from './operations/audit-operations.ts'

export type Report = {
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

type Finding = { readonly title: string; readonly lines: readonly string[]; readonly most?: number }

/** The result of a run: every figure in the order of the report, the sums that must be 0, and what was found. */
export type Result = {
  readonly figures: readonly (readonly [name: string, value: string | number])[]
  readonly sums: readonly (readonly [name: string, value: number])[]
  readonly findings: readonly Finding[]
  readonly faults: ReadonlyMap<string, number>
  readonly requests: number
  readonly lastedMs: number
  readonly isSound: boolean
}

/** Counts what the audits found. */
export function conclude(report: Report): Result {
  const sums = sumsOf(report)
  return {
    figures: [...loadFigures(report), ...auditFigures(report)],
    sums,
    findings: findingsOf(report),
    faults: faultsOf(report.injected),
    requests: report.requests.length,
    lastedMs: report.lastedMs,
    isSound: sums.every(([, sum]) => sum === 0),
  }
}

/** Prints the table and each violation. */
export function printReport(report: Report, { figures, sums, findings, isSound }: Result): void {
  for (const [name, value] of [...figures, ...sums]) process.stdout.write(`${name.padEnd(28)} ${value}\n`)
  for (const crash of report.members.flatMap(({ crashes }) => crashes())) process.stdout.write(`exited: ${crash}\n`)
  for (const { title, lines, most } of findings) show(title, lines, most)
  if (!report.verification.isSound) process.stdout.write(`verify:ledger\n${report.verification.text}`)
  if (!isSound || report.audit.unrecoverable.length > 0) showFaults(report.injected)
}

const faultsOf = (injected: readonly InjectedFault[]): Map<string, number> =>
  countByName(injected.map(({ kind, error }) => (error === undefined ? kind : `${kind} (failed)`)))

function loadFigures({ requests, lastedMs, money, tasks, audit, injected, members }: Report): [string, string | number][] {
  const { counts, refused } = audit
  const endings = countByName(requests.map(({ ending }) => ending))
  const exits = new Map(members.flatMap(({ name, crashes }) => (crashes().length > 0 ? [[name, crashes().length]] : [])))
  return [
    ['requests', `${requests.length} in ${Math.round(lastedMs / 1000)} s (${text(endings)})`],
    ['operations', `${sumOf(money.counts)}, ${money.entries} entries (${text(money.counts)})`],
    ['tasks', `${sumOf(tasks.outcomes)} submitted (${text(tasks.outcomes)}), ${sumOf(tasks.states)} taken (${text(tasks.states)})`],
    ['tasks, known to vendors only', tasks.unknown],
    ['tasks, charges lost by two', tasks.unrecoverable],
    ['admitted', counts.admitted],
    ['refused', text(refused)],
    ['of groups that change', `${counts.crossing}, ${counts.moved} answered by a later group`],
    ['answered by another model', counts.fallback],
    ['settled', counts.settled],
    ['estimated', counts.estimated],
    ['released', counts.released],
    ['late', counts.late],
    ['ended by the reaper', counts.reaped],
    ['cut responses', `${counts.cut} (${counts.excused} of them undercharged while Redis was unavailable)`],
    ['faults', text(faultsOf(injected))],
    ['kills and stops', injected.filter(({ kind }) => KILLS.includes(kind)).length],
    ['exited by themselves', text(exits) || 'none'],
  ]
}

function auditFigures({ audit, leftHolds, repairs, balances, money }: Report): [string, string | number][] {
  const { unrecoverable, worstEstimate, longestUncharged, oldestPrice } = audit
  return [
    ['holds open until the stop', leftHolds.length],
    ['largest estimation error', `${(worstEstimate.error * 100).toFixed(0)} % ${worstEstimate.detail}`],
    ['longest uncharged delivery', `${longestUncharged.ms} ms ${longestUncharged.detail}`],
    ['longest use of an old price', `${oldestPrice.ms} ms ${oldestPrice.detail}`],
    ['unrecoverable (two faults)', unrecoverable.length],
    ['recovery', `${repairs.repairs} shards repaired, ${repairs.missing} events missing, ${repairs.lost} lost`],
    ['windows of budgets', `${balances.budgets.counted}, ${balances.budgets.reached} of them used up`],
    ['below zero by lost writes', balances.swapped.length],
    ['credits taken back', money.takenBack],
  ]
}

function sumsOf({ audit, tasks, money, balances, different, verification, remaining }: Report): [string, number][] {
  const count = (kind: ViolationKind): number => audit.violations.filter((one) => one.kind === kind).length
  return [
    ['tasks, charged − delivered', tasks.charged - tasks.delivered],
    ['wrong credits', money.wrong.length],
    ['wrong tasks', tasks.wrong.length],
    ['overspend', balances.overspent.length],
    ['over budget', balances.overspent.filter((name) => name.startsWith('budget ')).length],
    ...VIOLATION_KINDS.map((kind): [string, number] => [kind, count(kind)]),
    ['drift', balances.drifted.length + different.length + (verification.isSound ? 0 : 1) + (isIdle(remaining) ? 0 : 1)],
  ]
}

function findingsOf({ audit, tasks, money, balances, different, remaining, blockedQueries, injected }: Report): Finding[] {
  const { violations, unrecoverable, leftOpen } = audit
  const { holds, unposted, outbox, unshipped, tasks: open, suspect } = remaining
  const notIdle = `holds ${holds.join(' ') || 'none'}, unposted ${unposted}, outbox ${outbox}, log rows ${unshipped}, tasks ${open}, ${suspect.join(', ')}`
  return [
    { title: 'wrong credit', lines: money.wrong },
    { title: 'wrong task', lines: tasks.wrong },
    { title: 'overspend', lines: balances.overspent },
    { title: 'drift', lines: [...balances.drifted, ...different] },
    ...VIOLATION_KINDS.map((title) => ({
      title,
      lines: violations.filter(({ kind }) => kind === title).map(({ id, detail }) => `${id}: ${detail}`),
    })),
    { title: 'unrecoverable', lines: unrecoverable.map(({ kind, id, detail }) => `${kind} ${id}: ${detail}`) },
    { title: 'swapped', lines: balances.swapped },
    { title: 'hold left open', lines: leftOpen, most: 2 },
    { title: 'not idle', lines: isIdle(remaining) ? [] : [notIdle] },
    { title: 'blocked in Postgres', lines: blockedQueries },
    { title: 'failed fault', lines: injected.flatMap(({ kind, error }) => (error === undefined ? [] : [`${kind}: ${error}`])), most: 10 },
  ]
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
