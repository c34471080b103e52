import { isUnrecoverable, redisWasUnavailable } from './unrecoverable.ts'
import type { ClientRequest } from './load.ts'
import { AUTO_GROUPS, GROUP_RATIOS, MODELS, PRICES, PROMPT_TOKENS, priceOf, scriptOf } from './script.ts'
import type { InjectedFault } from './fault-injector.ts'
import { PriceAudit, type PriceChange } from './prices.ts'
import type { VendorCall } from './vendor.ts'

/** The columns of a log row that the audit reads. */
export type LogRow = {
  readonly request_id: string
  readonly state: string
  readonly quota: number
  /** The group that is charged. */
  readonly group: string
  readonly user_id: number
  readonly token_id: number
  readonly completion_tokens: number
  readonly by: string
  readonly ended_by: string
  readonly wallet_held: number
  readonly token_held: number
  /** The windows of budgets that counted it, as its usage event names them. */
  readonly budgets: string
  /** The amounts that budgets held for it, by id; empty: not recorded, because its relay did not end it. */
  readonly budgets_held: Readonly<Record<string, number>>
  readonly user_agent: string
  /** Unix seconds, from Redis' clock: when the charge was booked, the last time if a relay sent it again. */
  readonly created_at: number
}

export const VIOLATION_KINDS = ['lost', 'duplicated', 'mischarged', 'behind'] as const
export type ViolationKind = (typeof VIOLATION_KINDS)[number]
export type Violation = { readonly kind: ViolationKind; readonly id: string; readonly detail: string }

export type RequestAudit = {
  readonly counts: Readonly<
    Record<
      | 'admitted'
      | 'settled'
      | 'estimated'
      | 'released'
      | 'late'
      | 'reaped'
      | 'complete'
      | 'cut'
      | 'excused'
      | 'crossing'
      | 'moved'
      | 'fallback',
      number
    >
  >
  readonly refused: ReadonlyMap<string, number>
  readonly violations: readonly Violation[]
  /** Violations explained by two faults at once. */
  readonly unrecoverable: readonly Violation[]
  /** The largest relative error of an `estimated` charge, compared with the price of what the vendor sent. */
  readonly worstEstimate: { readonly error: number; readonly detail: string }
  /** The most delivery that the charge of a cut response misses. */
  readonly longestUncharged: { readonly ms: number; readonly detail: string }
  /** The longest time after its replacement that a price was still charged. */
  readonly oldestPrice: { readonly ms: number; readonly detail: string }
  /** Requests whose hold their relay left open: no money is lost, but it stays reserved until the reaper ends the hold. */
  readonly leftOpen: readonly string[]
}

type Input = {
  readonly requests: readonly ClientRequest[]
  readonly vendor: ReadonlyMap<string, readonly VendorCall[]>
  readonly rows: readonly LogRow[]
  readonly injected: readonly InjectedFault[]
  /** Holds that were still open when no other work remained. */
  readonly leftHolds: readonly string[]
  readonly priceChanges: readonly PriceChange[]
}

/** Progress is recorded at least every 2 s; on a busy machine timers fire late and words wait in sockets. */
const UNCHARGED_MS = { promised: 2000, machine: 1000 } as const

/** Joins what clients read, what the vendor sent and what was logged by request, and lists wrong terminal states and charges. */
export function auditRequests(input: Input): RequestAudit {
  const auditor = new RequestAuditor(input)
  const byClient = Map.groupBy(input.rows, ({ user_agent }) => user_agent.replace('chaos/', ''))
  const leftHolds = new Set(input.leftHolds)
  for (const client of input.requests) {
    const calls = input.vendor.get(client.id) ?? []
    const rows = byClient.get(client.id) ?? []
    auditor.audit({ client, calls, rows })
    if (rows.some(({ request_id }) => leftHolds.has(request_id))) auditor.leftOpen.push(describe({ client, calls, rows }))
  }
  return auditor
}

type AuditCase = { readonly client: ClientRequest; readonly calls: readonly VendorCall[]; readonly rows: readonly LogRow[] }

class RequestAuditor implements RequestAudit {
  readonly counts = {
    admitted: 0,
    settled: 0,
    estimated: 0,
    released: 0,
    late: 0,
    reaped: 0,
    complete: 0,
    cut: 0,
    excused: 0,
    crossing: 0,
    moved: 0,
    fallback: 0,
  }
  readonly refused = new Map<string, number>()
  readonly violations: Violation[] = []
  readonly unrecoverable: Violation[] = []
  readonly worstEstimate = { error: 0, detail: '' }
  readonly longestUncharged = { ms: 0, detail: '' }
  readonly oldestPrice = { ms: 0, detail: '' }
  readonly leftOpen: string[] = []
  readonly #injected: readonly InjectedFault[]
  readonly #prices: PriceAudit

  constructor({ injected, priceChanges }: Input) {
    this.#injected = injected
    this.#prices = new PriceAudit(priceChanges, injected)
  }

  audit(one: AuditCase): void {
    const { client, calls, rows } = one
    if (client.ending === 'refused') add(this.refused, `${client.status} ${client.code}`)
    if (client.ending === 'complete') this.counts.complete += 1
    if (client.status !== 200 && calls.length === 0 && rows.length === 0) return
    this.counts.admitted += 1
    const finals = rows.filter(({ state }) => state !== 'late')
    const lates = rows.filter(({ state }) => state === 'late')
    this.#count(finals, lates)
    this.#countGroups(client, calls)
    // A channel never maps a model here: another one than the requested one is a fallback.
    if ((answeredIn(calls)?.model ?? client.model) !== client.model) this.counts.fallback += 1
    const [final] = finals
    if (final === undefined) return this.#report('lost', 'admitted, no terminal row', one)
    if (finals.length > 1 || lates.length > 1) {
      this.#report('duplicated', `${finals.length} terminal rows, ${lates.length} corrections`, one)
    }
    const charge = rows.reduce((sum, { quota }) => sum + quota, 0)
    const { factor, finding } = this.#checkCharge({ client, calls, final, rows, charge, isCorrected: lates.length > 0 })
    if (finding !== undefined) this.#report(finding.kind, finding.text, one)
    const isCut = client.ending !== 'complete' && client.words > 0
    if (isCut && final.state !== 'settled' && lates.length === 0) this.#auditCut(one, final, charge / factor)
    if (final.state === 'estimated' && lates.length === 0) noteEstimateError(this.worstEstimate, one, charge / factor)
  }

  /** Finds the price that the charge fits, among those that were in force while it was served: an estimate may fit several, of which the nearest is taken. */
  #checkCharge(charged: Omit<Charged, 'factor' | 'leastHold'>): { readonly factor: number; readonly finding: Finding | undefined } {
    const { client, calls, final, charge } = charged
    const answered = answeredIn(calls)
    const model = answered?.model ?? client.model
    const sent = { prompt_tokens: PROMPT_TOKENS, completion_tokens: answered?.words ?? 0 }
    const distance = (factor: number): number => Math.abs(charge - factor * priceOf(model, sent, answered?.group ?? 'default'))
    const leastHold = DEAREST_CALL * Math.min(...this.#prices.factorsOf(MODELS.perCall, client))
    const checked = this.#prices
      .factorsOf(model, client)
      .toSorted((one, other) => distance(one) - distance(other))
      .map((factor) => ({ factor, finding: checkCharge({ ...charged, leastHold, factor }) }))
    const [first] = checked
    if (first === undefined) throw new Error(`no price was in force at ${client.started_at}`)
    const fitting = checked.find(({ finding }) => finding === undefined) ?? first
    const ms = final.state === 'settled' ? this.#prices.ageOf(model, fitting.factor, client) : 0
    if (ms > this.oldestPrice.ms) Object.assign(this.oldestPrice, { ms, detail: client.id })
    return fitting
  }

  #count(finals: readonly LogRow[], lates: readonly LogRow[]): void {
    this.counts.late += lates.length
    for (const { state, by } of finals) {
      if (state === 'settled' || state === 'estimated' || state === 'released') this.counts[state] += 1
      if (by === 'reaper') this.counts.reaped += 1
    }
  }

  /** `moved`: a request that a later group of `auto` answered after the first one had failed. */
  #countGroups({ account }: ClientRequest, calls: readonly VendorCall[]): void {
    if (!account.crossesGroups) return
    this.counts.crossing += 1
    if (answeredIn(calls)?.group !== undefined && answeredIn(calls)?.group !== calls[0]?.group) this.counts.moved += 1
  }

  /** The client read words for which the vendor reported no usage: all but the last 2 s of delivery must be charged. */
  #auditCut(one: AuditCase, final: LogRow, charge: number): void {
    const { client, calls } = one
    if (final.state === 'released' && final.by !== 'reaper' && final.ended_by !== 'gateway-failed') {
      return this.#report('lost', 'the relay released although the client had read words', one)
    }
    this.counts.cut += 1
    const ms = unchargedMs(client, charge, { model: client.model, group: 'default', ...answeredIn(calls) })
    const [first] = client.marks
    const last = client.marks.at(-1)
    if (ms === 0 || first === undefined || last === undefined) return
    if (redisWasUnavailable(this.#injected, client.started_at + first[0], client.started_at + last[0])) {
      this.counts.excused += 1
      return
    }
    if (ms > this.longestUncharged.ms) Object.assign(this.longestUncharged, { ms, detail: `${client.id} ${final.state} by ${final.by}` })
    if (ms > UNCHARGED_MS.promised + UNCHARGED_MS.machine) this.#report('behind', `the charge misses ${ms} ms of delivery`, one)
  }

  #report(kind: ViolationKind, text: string, one: AuditCase): void {
    const list = isUnrecoverable(one.client, this.#injected) ? this.unrecoverable : this.violations
    list.push({ kind, id: one.client.id, detail: `${text} · ${describe(one)}` })
  }
}

/** Relative error allowed in an estimated token count. */
const ESTIMATE_TOLERANCE = 0.2

/** Milliseconds at the end of the delivery that the charge does not cover. */
function unchargedMs({ marks }: ClientRequest, charge: number, { model, group }: Pick<VendorCall, 'model' | 'group'>): number {
  const first = marks[0]?.[0] ?? 0
  const last = marks.at(-1)?.[0] ?? 0
  const worth = (words: number): number => priceOf(model, { prompt_tokens: PROMPT_TOKENS, completion_tokens: words }, group)
  const covered = marks.findLast(([, words]) => worth(words) * (1 - ESTIMATE_TOLERANCE) <= charge)
  return last - (covered?.[0] ?? first)
}

const answeredIn = (calls: readonly VendorCall[]): VendorCall | undefined => calls.findLast(({ isRefused }) => !isRefused)

/** Hold of a request that may move, for a call at a fixed price: that of its dearest group. */
const DEAREST_CALL = PRICES.call_quota * Math.max(...AUTO_GROUPS.map((group) => GROUP_RATIOS[group]))

type Charged = {
  readonly client: ClientRequest
  readonly calls: readonly VendorCall[]
  readonly final: LogRow
  readonly rows: readonly LogRow[]
  readonly charge: number
  readonly isCorrected: boolean
  /** The factor of the price that was in force. */
  readonly factor: number
  /** The hold of a call at a fixed price that may move to another group. */
  readonly leastHold: number
}

type Finding = { readonly kind: ViolationKind; readonly text: string }

function checkCharge({ client, calls, final, rows, charge, isCorrected, factor, leastHold }: Charged): Finding | undefined {
  const answered = answeredIn(calls)
  if (client.ending === 'complete' && client.words > 0 && charge === 0)
    return { kind: 'lost', text: 'the client read the whole response, nothing is charged' }
  // A response that had begun when its client disconnected costs its prompt (ADR 12); the limit below applies to it too.
  const isAbandoned = answered !== undefined && final.ended_by === 'client-disconnected'
  if (charge !== 0 && !isAbandoned && (answered === undefined || (answered.words === 0 && answered.usage === undefined))) {
    return { kind: 'mischarged', text: `charged ${charge}, the vendor delivered nothing` }
  }
  const { crossesGroups, isPoor } = client.account
  if (crossesGroups && !isPoor && client.model === MODELS.perCall && final.wallet_held < leastHold)
    return { kind: 'mischarged', text: `held ${final.wallet_held}, the dearest group wants ${leastHold}` }
  if (answered === undefined) return undefined
  const elsewhere = rows.find(({ quota, group }) => quota !== 0 && group !== answered.group)
  if (elsewhere !== undefined)
    return { kind: 'mischarged', text: `charged in the group ${elsewhere.group}, the group ${answered.group} answered` }
  const known = answered.usage === undefined ? undefined : factor * priceOf(answered.model, answered.usage, answered.group)
  if (final.state === 'settled' && known === undefined) return { kind: 'mischarged', text: 'settled, the vendor reported no usage' }
  const mustBeKnown =
    final.state === 'settled' || (client.ending === 'complete' && known !== undefined) || (isCorrected && client.ending === 'complete')
  if (mustBeKnown && known !== undefined && charge !== known)
    return { kind: 'mischarged', text: `charged ${charge}, by the vendor's usage ${known}` }
  // More than twice the price of prompt and delivery is not a plausible estimate.
  const most = 2 * factor * priceOf(answered.model, { prompt_tokens: PROMPT_TOKENS, completion_tokens: answered.words }, answered.group)
  if (charge > most) return { kind: 'mischarged', text: `charged ${charge}, the most for what was sent is ${most}` }
  if (charge < 0) return { kind: 'mischarged', text: `charged ${charge}` }
  return undefined
}

function noteEstimateError(worstEstimate: { error: number; detail: string }, { client, calls }: AuditCase, charge: number): void {
  const answered = answeredIn(calls)
  if (answered === undefined) return
  // For a cut response any charge between what the client read and what the vendor sent is right.
  const worth = (words: number): number =>
    priceOf(answered.model, { prompt_tokens: PROMPT_TOKENS, completion_tokens: words }, answered.group)
  const truth =
    client.ending === 'complete' ? worth(answered.words) : Math.min(Math.max(charge, worth(client.words)), worth(answered.words))
  const error = Math.abs(charge - truth) / truth
  if (error <= worstEstimate.error) return
  worstEstimate.error = error
  worstEstimate.detail = `${client.id}: charged ${charge}, worth ${truth} (${client.words} words read by the client, ${answered.words} sent)`
}

function describe({ client, calls, rows }: AuditCase): string {
  const script = scriptOf(client.id)
  const at = (time: number): string => (time === 0 ? '-' : `+${time - client.started_at}`)
  const request = `${client.format} ${client.model} ${client.is_stream ? 'stream' : 'whole'} ${script.act} ${script.pieces}×${script.pace_ms} ms at ${new Date(client.started_at).toISOString()} on ${client.relay}`
  const read = `client ${client.ending} ${client.status} ${client.code} words ${client.words} (+${client.marks[0]?.[0] ?? '-'}…+${client.marks.at(-1)?.[0] ?? '-'}, end ${at(client.ended_at)}) request ${client.request_id || '?'}`
  const sent = calls.map(
    (call) =>
      `vendor ${call.group} ${at(call.at)} words ${call.words} usage ${call.usage?.completion_tokens ?? '-'} ${call.isRefused ? 'refused' : call.isWhole ? 'whole' : 'broken'}`,
  )
  const logged = rows.map(
    (row) =>
      `row ${row.request_id} ${row.state} by ${row.by} ${row.ended_by} charge ${row.quota} in ${row.group} completion ${row.completion_tokens} held ${row.wallet_held}`,
  )
  return [`user ${client.account.user_id} token ${client.account.token_id} ${request}`, read, ...sent, ...logged].join(' | ')
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
