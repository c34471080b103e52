import { AppError } from '@tollgate/contracts/app-error'
import { REFUNDED } from '@tollgate/contracts/enums'
import { Quote, Usage } from '@tollgate/contracts/pricing/quote'
import { HashedBodies } from '@tollgate/contracts/relay/usage-event'
import { RECEIPT_TYPE, type Receipt, type SignedReceipt } from '@tollgate/contracts/resources/receipts'
import { DAY_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import type { LogCursor } from '@tollgate/db/log-store'
import { findExplainedLog, findLogTime, listChargedLogs, type ExplainedLogRow } from '@tollgate/db/queries/logs/logs'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { dollarsOf } from '@tollgate/domain/pricing/format'
import canonicalize from 'canonicalize'
import { CompactSign } from 'jose'
import { nowSeconds, type Deps } from '../../deps.ts'
import { inSlices } from '../../in-slices.ts'
import { pagesAfter } from '../../paging.ts'
import { publicAddress } from '../../public-address.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { getSigningKey, type SigningKey } from './keys.ts'

const WINDOW_S = 31 * DAY_SECONDS

/** The signed receipt of a log row; with `owner` only of a row of that user. Throws for a row that books nothing. */
export async function getReceipt(deps: Deps, key: LogCursor, owner: number | undefined): Promise<SignedReceipt> {
  const since = nowSeconds(deps) - WINDOW_S
  const created_at = key.created_at > 0 ? key.created_at : await withReadSnapshot(deps, (tx) => findLogTime(tx, key.id, since))
  const row = created_at === undefined ? undefined : await findExplainedLog(deps.db, { ...key, created_at })
  if (row === undefined || (owner !== undefined && row.user_id !== owner)) throw new AppError('record.missing')
  const receipt = toReceipt(row, await issuerOf(deps))
  if (receipt === undefined) throw new AppError('receipts.none')
  return { jws: await sign(receipt, await getSigningKey(deps)), receipt }
}

/** Reading a row from its event takes 50 µs, and nothing else runs while a page is read. */
const PAGE = 100

type Range = { readonly user_id: number; readonly from: UnixSeconds; readonly until: UnixSeconds }

/** The receipts of a user's requests in a range of time, one a line, newest first. Rows without a receipt are left out. */
export async function* receiptLines(deps: Deps, range: Range): AsyncGenerator<string> {
  const [issuer, key] = await Promise.all([issuerOf(deps), getSigningKey(deps)])
  const pages = pagesAfter<ExplainedLogRow>(PAGE, (before) =>
    withReadSnapshot(deps, (tx) => listChargedLogs(tx, { ...range, before, limit: PAGE })),
  )
  const lineOf = async (row: ExplainedLogRow): Promise<string> => {
    const receipt = toReceipt(row, issuer)
    return receipt === undefined ? '' : `${await sign(receipt, key)}\n`
  }
  for await (const rows of pages)
    for await (const signing of inSlices(rows, lineOf)) {
      const lines = (await Promise.all(signing)).join('')
      if (lines !== '') yield lines
    }
}

async function sign(receipt: Receipt, { kid, key }: SigningKey): Promise<string> {
  const payload = canonicalize(receipt)
  if (payload === undefined) throw new Error('a receipt has no canonical JSON')
  const header = { alg: 'EdDSA', kid, typ: RECEIPT_TYPE }
  return await new CompactSign(new TextEncoder().encode(payload)).setProtectedHeader(header).sign(key)
}

type Issuer = {
  readonly iss: string
  /** Used for refunds, whose row does not state it. */
  readonly quota_per_unit: number
}

async function issuerOf(deps: Deps): Promise<Issuer> {
  const [iss, quota_per_unit] = await Promise.all([publicAddress(deps), deps.options.get('QuotaPerUnit')])
  return { iss, quota_per_unit }
}

/** The content of a row's receipt; undefined: the row books no charge, or is of a version without its price. */
export function toReceipt(row: ExplainedLogRow, { iss, quota_per_unit }: Issuer): Receipt | undefined {
  const { request_id, state } = row
  if (request_id === '') return undefined
  const shared = {
    v: '1',
    iss,
    request_id,
    user: { id: String(row.user_id), name: row.username },
    token: { id: String(row.token_id), name: row.token_name },
    model: row.model_name,
    group: row.group,
    booked_at: new Date(row.created_at * 1000).toISOString(),
  } as const
  const first = `${request_id}:charge`
  if (state === REFUNDED) {
    const id = `${request_id}:refund:${row.id}`
    const charge = chargeText(row.quota, quota_per_unit)
    return { ...shared, kind: 'refund', id, corrects: first, usage: null, price: null, lines: null, charge }
  }
  const quote = Quote.safeParse(row.quote).data
  const usage = Usage.safeParse(row.usage).data
  if (quote === undefined || usage === undefined) return undefined
  const isCorrection = state === 'late'
  return {
    ...shared,
    kind: isCorrection ? 'correction' : 'charge',
    id: isCorrection ? `${request_id}:correction` : first,
    corrects: isCorrection ? first : null,
    usage: inTexts(usage),
    price: inTexts(quote),
    lines: inTexts(chargeOf(quote, usage)),
    charge: chargeText(row.quota, quote.quota_per_unit),
    ...bodiesOf(row),
  }
}

function bodiesOf({ explanation }: ExplainedLogRow): Pick<Receipt, 'bodies'> {
  const bodies = HashedBodies.safeParse(explanation?.bodies).data
  if (bodies === undefined) return {}
  const { request, answer } = bodies
  return { bodies: { request: { ...request, bytes: String(request.bytes) }, answer: { ...answer, bytes: String(answer.bytes) } } }
}

function chargeText(quota: number, quota_per_unit: number): Receipt['charge'] {
  return { quota: String(quota), usd: dollarsOf(quota, quota_per_unit).toString(), quota_per_usd: String(quota_per_unit) }
}

/** Plain data with every number as text. */
function inTexts(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(inTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, inTexts(inner)]])))
}
