import { isBeyondRepair, redisWasAway } from './beyond-repair.ts'
import type { ClientEntry } from './load.ts'
import { PROMPT_TOKENS, priceOf, scriptOf } from './script.ts'
import type { Incident } from './trouble.ts'
import type { VendorCall } from './vendor.ts'

/** A log row with what the comparison asks for. */
export type Row = {
  readonly request_id: string
  readonly state: string
  readonly quota: number
  readonly user_id: number
  readonly token_id: number
  readonly completion_tokens: number
  readonly by: string
  readonly ended_by: string
  readonly wallet_held: number
  readonly token_held: number
  readonly user_agent: string
}

export type ViolationKind = 'lost' | 'duplicated' | 'mischarged' | 'behind'
export type Violation = { readonly kind: ViolationKind; readonly id: string; readonly detail: string }

export type Comparison = {
  readonly counts: Readonly<
    Record<'admitted' | 'settled' | 'estimated' | 'released' | 'late' | 'reaped' | 'complete' | 'cut' | 'excused', number>
  >
  readonly refused: ReadonlyMap<string, number>
  readonly violations: readonly Violation[]
  /** What two deaths at once made unrecoverable. */
  readonly unrecoverable: readonly Violation[]
  /** Of `estimated` rows against what the vendor would have counted for what it sent. */
  readonly worst: { readonly error: number; readonly detail: string }
  /** How much delivery the charge of a cut answer misses at most. */
  readonly furthest: { readonly ms: number; readonly detail: string }
  /** Requests whose hold their relay left open: no money is lost, but somebody had to wait for it. */
  readonly forgotten: readonly string[]
}

type Input = {
  readonly clients: readonly ClientEntry[]
  readonly vendor: ReadonlyMap<string, readonly VendorCall[]>
  readonly rows: readonly Row[]
  readonly incidents: readonly Incident[]
  /** Holds that were still open when everything else had ended. */
  readonly left: readonly string[]
}

/** Delivery is noted at least every 2 s. What a busy machine adds: a beat comes late, and words lie in sockets for a while. */
const BEHIND_MS = { promised: 2000, machine: 1000 } as const

/** Joins the three journals by the client's id and says where the gateway's terminal states or charges are not the truth. */
export function compare(input: Input): Comparison {
  const court = new Court(input.incidents)
  const byClient = Map.groupBy(input.rows, ({ user_agent }) => user_agent.replace('chaos/', ''))
  const left = new Set(input.left)
  for (const client of input.clients) {
    const calls = input.vendor.get(client.id) ?? []
    const rows = byClient.get(client.id) ?? []
    court.judge({ client, calls, rows })
    if (rows.some(({ request_id }) => left.has(request_id))) court.forgotten.push(describe({ client, calls, rows }))
  }
  return court
}

type Case = { readonly client: ClientEntry; readonly calls: readonly VendorCall[]; readonly rows: readonly Row[] }

class Court implements Comparison {
  readonly counts = { admitted: 0, settled: 0, estimated: 0, released: 0, late: 0, reaped: 0, complete: 0, cut: 0, excused: 0 }
  readonly refused = new Map<string, number>()
  readonly violations: Violation[] = []
  readonly unrecoverable: Violation[] = []
  readonly worst = { error: 0, detail: '' }
  readonly furthest = { ms: 0, detail: '' }
  readonly forgotten: string[] = []
  readonly #incidents: readonly Incident[]

  constructor(incidents: readonly Incident[]) {
    this.#incidents = incidents
  }

  judge(one: Case): void {
    const { client, calls, rows } = one
    if (client.ending === 'refused') add(this.refused, `${client.status} ${client.code}`)
    if (client.ending === 'complete') this.counts.complete += 1
    if (client.status !== 200 && calls.length === 0 && rows.length === 0) return
    this.counts.admitted += 1
    const finals = rows.filter(({ state }) => state !== 'late')
    const lates = rows.filter(({ state }) => state === 'late')
    this.#count(finals, lates)
    const [final] = finals
    if (final === undefined) return this.#say('lost', 'admitted, no terminal row', one)
    if (finals.length > 1 || lates.length > 1) {
      this.#say('duplicated', `${finals.length} terminal rows, ${lates.length} corrections`, one)
    }
    const charge = rows.reduce((sum, { quota }) => sum + quota, 0)
    const told = checkCharge({ client, calls, final, charge, isCorrected: lates.length > 0 })
    if (told !== undefined) this.#say(told.kind, told.text, one)
    const isCut = client.ending !== 'complete' && client.words > 0
    if (isCut && final.state !== 'settled' && lates.length === 0) this.#judgeCut(one, final, charge)
    if (final.state === 'estimated' && lates.length === 0) noteError(this.worst, one, charge)
  }

  #count(finals: readonly Row[], lates: readonly Row[]): void {
    this.counts.late += lates.length
    for (const { state, by } of finals) {
      if (state === 'settled' || state === 'estimated' || state === 'released') this.counts[state] += 1
      if (by === 'reaper') this.counts.reaped += 1
    }
  }

  /** The client saw words that upstream did not count: they must be charged, all but the last 2 s of delivery. */
  #judgeCut(one: Case, final: Row, charge: number): void {
    const { client } = one
    if (final.state === 'released' && final.by !== 'reaper' && final.ended_by !== 'gateway-failed') {
      return this.#say('lost', 'words reached the client, the relay released', one)
    }
    this.counts.cut += 1
    const ms = deliveryBehind(client, charge)
    const [first] = client.marks
    const last = client.marks.at(-1)
    if (ms === 0 || first === undefined || last === undefined) return
    if (redisWasAway(this.#incidents, client.started_at + first[0], client.started_at + last[0])) {
      this.counts.excused += 1
      return
    }
    if (ms > this.furthest.ms) Object.assign(this.furthest, { ms, detail: `${client.id} ${final.state} by ${final.by}` })
    if (ms > BEHIND_MS.promised + BEHIND_MS.machine) this.#say('behind', `the charge misses ${ms} ms of delivery`, one)
  }

  #say(kind: ViolationKind, text: string, one: Case): void {
    const list = isBeyondRepair(one.client, this.#incidents) ? this.unrecoverable : this.violations
    list.push({ kind, id: one.client.id, detail: `${text} · ${describe(one)}` })
  }
}

/** An estimate may be off by so much in the count of what it knows. */
const ESTIMATE_TOLERANCE = 0.2

/** Milliseconds of delivery at the end of which nothing is in the charge. */
function deliveryBehind({ model, marks }: ClientEntry, charge: number): number {
  const first = marks[0]?.[0] ?? 0
  const last = marks.at(-1)?.[0] ?? 0
  const worth = (words: number): number => priceOf(model, { prompt_tokens: PROMPT_TOKENS, completion_tokens: words })
  const covered = marks.findLast(([, words]) => worth(words) * (1 - ESTIMATE_TOLERANCE) <= charge)
  return last - (covered?.[0] ?? first)
}

type Charged = {
  readonly client: ClientEntry
  readonly calls: readonly VendorCall[]
  readonly final: Row
  readonly charge: number
  readonly isCorrected: boolean
}

function checkCharge({ client, calls, final, charge, isCorrected }: Charged): { kind: ViolationKind; text: string } | undefined {
  const answered = calls.findLast(({ isRefused }) => !isRefused)
  if (client.ending === 'complete' && client.words > 0 && charge === 0)
    return { kind: 'lost', text: 'the end of the answer reached the client, nothing is charged' }
  // An answer that had begun when its client left costs its prompt (ADR 0012); the bound below holds for it too.
  const isAbandoned = answered !== undefined && final.ended_by === 'client-disconnected'
  if (charge !== 0 && !isAbandoned && (answered === undefined || (answered.words === 0 && answered.usage === undefined))) {
    return { kind: 'mischarged', text: `charged ${charge}, the vendor delivered nothing` }
  }
  if (answered === undefined) return undefined
  const known = answered.usage === undefined ? undefined : priceOf(client.model, answered.usage)
  if (final.state === 'settled' && known === undefined) return { kind: 'mischarged', text: 'settled, the vendor reported no usage' }
  const mustBeKnown =
    final.state === 'settled' || (client.ending === 'complete' && known !== undefined) || (isCorrected && client.ending === 'complete')
  if (mustBeKnown && known !== undefined && charge !== known)
    return { kind: 'mischarged', text: `charged ${charge}, by the vendor's usage ${known}` }
  // Twice what was sent and twice the prompt is no estimate any more.
  const most = 2 * priceOf(client.model, { prompt_tokens: PROMPT_TOKENS, completion_tokens: answered.words })
  if (charge > most) return { kind: 'mischarged', text: `charged ${charge}, all that was sent is worth ${most} at most` }
  if (charge < 0) return { kind: 'mischarged', text: `charged ${charge}` }
  return undefined
}

function noteError(worst: { error: number; detail: string }, { client, calls }: Case, charge: number): void {
  const answered = calls.findLast(({ isRefused }) => !isRefused)
  if (answered === undefined) return
  // Where the answer was cut, anything between what the client read and what the vendor sent is right.
  const worth = (words: number): number => priceOf(client.model, { prompt_tokens: PROMPT_TOKENS, completion_tokens: words })
  const truth =
    client.ending === 'complete' ? worth(answered.words) : Math.min(Math.max(charge, worth(client.words)), worth(answered.words))
  const error = Math.abs(charge - truth) / truth
  if (error <= worst.error) return
  worst.error = error
  worst.detail = `${client.id}: charged ${charge}, worth ${truth} (${client.words} words read by the client, ${answered.words} sent)`
}

function describe({ client, calls, rows }: Case): string {
  const script = scriptOf(client.id)
  const at = (time: number): string => (time === 0 ? '-' : `+${time - client.started_at}`)
  const seen = `${client.format} ${client.model} ${client.is_stream ? 'stream' : 'whole'} ${script.act} ${script.pieces}×${script.pace_ms} ms at ${new Date(client.started_at).toISOString()} on ${client.relay}`
  const heard = `client ${client.ending} ${client.status} ${client.code} words ${client.words} (+${client.marks[0]?.[0] ?? '-'}…+${client.marks.at(-1)?.[0] ?? '-'}, end ${at(client.ended_at)}) request ${client.request_id || '?'}`
  const sent = calls.map(
    (call) =>
      `vendor ${at(call.at)} words ${call.words} usage ${call.usage?.completion_tokens ?? '-'} ${call.isRefused ? 'refused' : call.isWhole ? 'whole' : 'broken'}`,
  )
  const kept = rows.map(
    (row) =>
      `row ${row.request_id} ${row.state} by ${row.by} ${row.ended_by} charge ${row.quota} completion ${row.completion_tokens} held ${row.wallet_held}`,
  )
  return [`user ${client.account.user_id} token ${client.account.token_id} ${seen}`, heard, ...sent, ...kept].join(' | ')
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
