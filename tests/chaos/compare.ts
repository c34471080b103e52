import type { ClientEntry } from './load.ts'
import { PROMPT_TOKENS, priceOf } from './script.ts'
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
  readonly user_agent: string
}

export type Violation = { readonly kind: 'lost' | 'duplicated' | 'mischarged'; readonly id: string; readonly detail: string }

export type Comparison = {
  readonly counts: Readonly<
    Record<'admitted' | 'settled' | 'estimated' | 'released' | 'late' | 'reaped' | 'complete' | 'unrecorded' | 'excused', number>
  >
  readonly refused: ReadonlyMap<string, number>
  readonly violations: readonly Violation[]
  /** Of `estimated` rows against what the vendor would have counted for what it sent. */
  readonly worst: { readonly error: number; readonly detail: string }
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

/** Delivery is noted at least every 2 s, once a request is open for 2 s, with a beat each second; a busy machine adds to it. */
const UNRECORDED_MS = 5000

/** Joins the three journals by the client's id and says where the gateway's terminal states or charges are not the truth. */
export function compare({ clients, vendor, rows, incidents, left }: Input): Comparison {
  const counts = { admitted: 0, settled: 0, estimated: 0, released: 0, late: 0, reaped: 0, complete: 0, unrecorded: 0, excused: 0 }
  const refused = new Map<string, number>()
  const violations: Violation[] = []
  const worst = { error: 0, detail: '' }
  const forgotten: string[] = []
  const byClient = Map.groupBy(rows, ({ user_agent }) => user_agent.replace('chaos/', ''))
  for (const client of clients) {
    const calls = vendor.get(client.id) ?? []
    const mine = byClient.get(client.id) ?? []
    const finals = mine.filter(({ state }) => state !== 'late')
    const lates = mine.filter(({ state }) => state === 'late')
    const isAdmitted = client.status === 200 || calls.length > 0 || mine.length > 0
    const say = (kind: Violation['kind'], text: string): void =>
      void violations.push({ kind, id: client.id, detail: `${text} · ${describe(client, calls, mine)}` })

    if (client.ending === 'refused') add(refused, `${client.status} ${client.code}`)
    if (client.ending === 'complete') counts.complete += 1
    if (!isAdmitted) continue
    if (mine.some(({ request_id }) => left.includes(request_id))) forgotten.push(describe(client, calls, mine))
    counts.admitted += 1
    counts.late += lates.length
    for (const { state, by } of finals) {
      if (state === 'settled' || state === 'estimated' || state === 'released') counts[state] += 1
      if (by === 'reaper') counts.reaped += 1
    }
    const [final] = finals
    if (final === undefined) {
      say('lost', 'admitted, no terminal row')
      continue
    }
    if (finals.length > 1 || lates.length > 1) say('duplicated', `${finals.length} terminal rows, ${lates.length} corrections`)
    const charge = mine.reduce((sum, { quota }) => sum + quota, 0)
    const told = checkCharge({ client, calls, final, charge, isCorrected: lates.length > 0 })
    if (told !== undefined) say(told.kind, told.text)
    if (final.state === 'released' && lates.length === 0 && client.words > 0) judgeReleased(client, final, { counts, incidents, say })
    if (final.state === 'estimated' && lates.length === 0) noteError(worst, { client, calls, charge })
  }
  return { counts, refused, violations, worst, forgotten }
}

type Charged = {
  readonly client: ClientEntry
  readonly calls: readonly VendorCall[]
  readonly final: Row
  readonly charge: number
  readonly isCorrected: boolean
}

function checkCharge({ client, calls, final, charge, isCorrected }: Charged): { kind: Violation['kind']; text: string } | undefined {
  const answered = calls.findLast(({ isRefused }) => !isRefused)
  if (client.ending === 'complete' && client.words > 0 && charge === 0)
    return { kind: 'lost', text: 'the end of the answer reached the client, nothing is charged' }
  // An answer that had begun when its client left costs its prompt (ADR 0012); the bound below holds for it too.
  const isAbandoned = answered !== undefined && final.ended_by === 'client-gone'
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
  const most = 2 * priceOf(client.model, { prompt_tokens: PROMPT_TOKENS * 3, completion_tokens: answered.words })
  if (charge > most) return { kind: 'mischarged', text: `charged ${charge}, all that was sent is worth ${most} at most` }
  if (charge < 0) return { kind: 'mischarged', text: `charged ${charge}` }
  return undefined
}

type Court = {
  counts: { unrecorded: number; excused: number }
  incidents: readonly Incident[]
  say: (kind: Violation['kind'], text: string) => void
}

/** The client saw words and nothing was charged: right only if its relay died, or was taken for dead, before it could note them. */
function judgeReleased(client: ClientEntry, final: Row, { counts, incidents, say }: Court): void {
  if (final.by !== 'reaper' && final.ended_by !== 'gateway-failed') return say('lost', 'words reached the client, the relay released')
  const isStoreTroubled = incidents.some(
    ({ target, from, to }) => target === 'redis' && from <= client.last_word_at && (to || Date.now()) + 3000 >= client.first_word_at,
  )
  if (client.last_word_at - client.started_at <= UNRECORDED_MS) counts.unrecorded += 1
  else if (isStoreTroubled) counts.excused += 1
  else say('lost', `words reached the client for ${client.last_word_at - client.first_word_at} ms, released by ${final.by}`)
}

function noteError(
  worst: { error: number; detail: string },
  { client, calls, charge }: Pick<Charged, 'client' | 'calls' | 'charge'>,
): void {
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

function describe(client: ClientEntry, calls: readonly VendorCall[], rows: readonly Row[]): string {
  const at = (time: number): string => (time === 0 ? '-' : `+${time - client.started_at}`)
  const seen = `${client.model} ${client.is_stream ? 'stream' : 'whole'} ${client.script.act} ${client.script.pieces}×${client.script.pace_ms} ms at ${new Date(client.started_at).toISOString()} on ${client.relay}`
  const heard = `client ${client.ending} ${client.status} ${client.code} words ${client.words} (${at(client.first_word_at)}…${at(client.last_word_at)}, end ${at(client.ended_at)}) request ${client.request_id || '?'}`
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
