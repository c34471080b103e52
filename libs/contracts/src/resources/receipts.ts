import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { UnixSeconds } from '../units.ts'
import { IdParams, QueryInt } from '../values/common-schemas.ts'

/** `typ` in the header of a receipt. */
export const RECEIPT_TYPE = 'tollgate-receipt+jws'

/** A charge, what a reaped request was charged later, or what a failed task gave back. */
export const RECEIPT_KINDS = ['charge', 'correction', 'refund'] as const

/** Numbers are texts: JSON readers of other languages round large ones or refuse them. */
const NumberText = z.string().regex(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i)

/** `sha256` in hexadecimal. */
const BodyHash = z.object({ sha256: z.string(), bytes: NumberText })

/** The signed content of a receipt, in canonical JSON (https://www.rfc-editor.org/rfc/rfc8785). The same log row always gives the same. */
export const Receipt = z.object({
  v: z.literal('1'),
  /** Address of the gateway that signed it. */
  iss: z.string(),
  kind: z.enum(RECEIPT_KINDS),
  /** Unique among the receipts of an installation. */
  id: z.string(),
  request_id: z.string(),
  /** Id of the receipt that this one changes. */
  corrects: z.string().nullable(),
  user: z.object({ id: NumberText, name: z.string() }),
  token: z.object({ id: NumberText, name: z.string() }),
  model: z.string(),
  group: z.string(),
  /** When the charge was booked: ISO 8601, in UTC. */
  booked_at: z.string(),
  /** The vendor's count, or ours where `source` says so; null for a refund. */
  usage: z.unknown(),
  /** Every number of the price, as it was when the request began; null for a refund. */
  price: z.unknown(),
  /** The lines that sum to the charge; null for a refund. */
  lines: z.unknown(),
  charge: z.object({ quota: NumberText, usd: NumberText, quota_per_usd: NumberText }),
  /** Absent: the token did not ask for hashes. `is_cut`: the answer ended early, and its hash is of the bytes until then. */
  bodies: z.object({ request: BodyHash, answer: BodyHash.extend({ is_cut: z.boolean() }) }).optional(),
})
export type Receipt = z.infer<typeof Receipt>

/** A signed receipt: a JWS in compact form (https://www.rfc-editor.org/rfc/rfc7515) with its content. */
export const SignedReceipt = z.object({ jws: z.string(), receipt: Receipt })
export type SignedReceipt = z.infer<typeof SignedReceipt>

/** A public key that signed receipts: https://www.rfc-editor.org/rfc/rfc8037 */
export const ReceiptJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
})
export type ReceiptJwk = z.infer<typeof ReceiptJwk>
export const ReceiptKeySet = z.object({ keys: z.array(ReceiptJwk) })

export const ReceiptKeyState = z.object({
  kid: z.string(),
  created_at: UnixSeconds,
  /** 0: it signs new receipts. */
  retired_at: UnixSeconds,
})
export type ReceiptKeyState = z.infer<typeof ReceiptKeyState>

const RowQuery = z.object({ created_at: QueryInt })

export const receipts = {
  get: endpoint({
    method: 'GET',
    path: '/api/log/{id}/receipt',
    access: 'admin',
    summary: 'The signed receipt of a charge, correction or refund (ours)',
    params: IdParams,
    query: RowQuery,
    data: SignedReceipt,
  }),
  getOwn: endpoint({
    method: 'GET',
    path: '/api/log/self/{id}/receipt',
    access: 'user',
    right: 'usage.read',
    summary: 'The signed receipt of an own charge, correction or refund (ours)',
    params: IdParams,
    query: RowQuery,
    data: SignedReceipt,
  }),
  exportOwn: endpoint({
    method: 'GET',
    path: '/api/log/self/receipts/export',
    access: 'user',
    right: 'usage.read',
    summary: 'The receipts of a range of time, one a line, newest first (ours)',
    query: z.object({ start_timestamp: QueryInt, end_timestamp: QueryInt }),
    answer: z.string(),
  }),
  keys: endpoint({
    method: 'GET',
    path: '/.well-known/jwks.json',
    access: 'public',
    summary: 'The public keys of receipts, also those that no longer sign, as a JSON Web Key Set (ours)',
    answer: ReceiptKeySet,
  }),
  listKeys: endpoint({
    method: 'GET',
    path: '/api/receipts/keys',
    access: 'root',
    summary: 'The keys of receipts, the newest first (ours)',
    data: z.array(ReceiptKeyState),
  }),
  rotate: endpoint({
    method: 'POST',
    path: '/api/receipts/keys',
    access: 'root',
    needsProof: true,
    summary: 'Makes a new key for receipts; those signed before stay valid (ours)',
    data: ReceiptKeyState,
  }),
}
