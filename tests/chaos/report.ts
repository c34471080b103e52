import type { Money } from './books.ts'
import type { Comparison, ViolationKind } from './compare.ts'
import { KILLS } from './deeds.ts'
import type { ClientEntry } from './load.ts'
import { isQuiet, type Rest } from './quiet.ts'
import type { Incident } from './trouble.ts'
import type { Member } from './cluster.ts'

type Report = {
  readonly lastedMs: number
  readonly clients: readonly ClientEntry[]
  readonly comparison: Comparison
  readonly money: Money
  /** Accounts of which Redis and Postgres do not say the same at rest. */
  readonly different: readonly string[]
  /** What the keeper says of store swaps: repaired shards, numbers without an event, events that nobody brought back. */
  readonly repairs: { readonly repairs: number; readonly missing: number; readonly lost: number }
  readonly rest: Rest
  readonly left: readonly string[]
  readonly waits: readonly string[]
  readonly verdict: { readonly isSound: boolean; readonly text: string }
  readonly incidents: readonly Incident[]
  readonly members: readonly Member[]
}

const MAX_SHOWN = 20

/** Prints the table and each violation; true when nothing was wrong. */
export function printReport({
  lastedMs,
  clients,
  comparison,
  money,
  different,
  repairs,
  rest,
  left,
  waits,
  verdict,
  incidents,
  members,
}: Report): boolean {
  const { counts, refused, violations, unrecoverable, worst, furthest } = comparison
  const count = (kind: ViolationKind): number => violations.filter((one) => one.kind === kind).length
  const drift = money.drifted.length + different.length + (verdict.isSound ? 0 : 1) + (isQuiet(rest) ? 0 : 1)
  const endings = tally(clients.map(({ ending }) => ending))
  const line = (name: string, value: string | number): void => void process.stdout.write(`${name.padEnd(28)} ${value}\n`)
  line('requests', `${clients.length} in ${Math.round(lastedMs / 1000)} s (${text(endings)})`)
  line('admitted', counts.admitted)
  line('refused', text(refused))
  line('settled', counts.settled)
  line('estimated', counts.estimated)
  line('released', counts.released)
  line('late', counts.late)
  line('ended by the reaper', counts.reaped)
  line('cut answers', `${counts.cut} (${counts.excused} of them behind while Redis was away)`)
  line('trouble', text(tally(incidents.map(({ kind, error }) => (error === undefined ? kind : `${kind} (failed)`)))))
  line('kills and stops', incidents.filter(({ kind }) => KILLS.includes(kind)).length)
  line(
    'ended by themselves',
    text(new Map(members.flatMap((member) => (member.crashes() > 0 ? [[member.name, member.crashes()]] : [])))) || 'none',
  )
  line('holds left to the last stop', left.length)
  line('largest estimation error', `${(worst.error * 100).toFixed(0)} % ${worst.detail}`)
  line('delivery behind the charge', `${furthest.ms} ms at most ${furthest.detail}`)
  line('unrecoverable (two deaths)', unrecoverable.length)
  line('told by the keeper', `${repairs.repairs} shards repaired, ${repairs.missing} events missing, ${repairs.lost} lost`)
  line('below zero by a store swap', money.swapped.length)
  line('overspend', money.overspent.length)
  line('lost', count('lost'))
  line('duplicated', count('duplicated'))
  line('mischarged', count('mischarged'))
  line('behind', count('behind'))
  line('drift', drift)
  show('overspend', money.overspent)
  show('drift', [...money.drifted, ...different])
  for (const kind of ['lost', 'duplicated', 'mischarged', 'behind'] as const)
    show(
      kind,
      violations.filter((one) => one.kind === kind).map(({ id, detail }) => `${id}: ${detail}`),
    )
  show(
    'unrecoverable',
    unrecoverable.map(({ kind, id, detail }) => `${kind} ${id}: ${detail}`),
  )
  show('swapped', money.swapped)
  show('hold left open', comparison.forgotten, 2)
  if (!isQuiet(rest))
    show('not quiet', [
      `holds ${rest.holds.join(' ') || 'none'}, unposted ${rest.unposted}, outbox ${rest.outbox}, ${rest.suspect.join(', ')}`,
    ])
  show('waits in Postgres', waits)
  const isSound = violations.length + money.overspent.length + drift === 0
  if (!verdict.isSound) process.stdout.write(`verify:ledger\n${verdict.text}`)
  if (!isSound || unrecoverable.length > 0) showIncidents(incidents)
  return isSound
}

function showIncidents(incidents: readonly Incident[]): void {
  for (const { kind, target, from, to, error } of incidents) {
    process.stdout.write(
      `  ${new Date(from).toISOString()} ${kind} ${target} for ${to - from} ms${error === undefined ? '' : ` (${error})`}\n`,
    )
  }
}

function show(title: string, lines: readonly string[], most = MAX_SHOWN): void {
  for (const one of lines.slice(0, most)) process.stdout.write(`${title}: ${one}\n`)
  if (lines.length > most) process.stdout.write(`${title}: … and ${lines.length - most} more\n`)
}

function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const text = (counts: ReadonlyMap<string, number>): string => [...counts].map(([name, times]) => `${name} ${times}`).join(', ')
