import { RECEIPT_TYPE, type Receipt, type ReceiptJwk } from '@tollgate/contracts/resources/receipts'

/** Why a text is not a valid receipt of this site. */
export type ReceiptFault = 'format' | 'unknown-key' | 'changed' | 'unreadable'
export type Checked = { readonly kind: 'valid'; readonly receipt: Receipt; readonly kid: string } | { readonly kind: ReceiptFault }

/** Checks a receipt (a JWS in compact form) against the published keys, in this browser. */
export async function verifyReceipt(text: string, keys: readonly ReceiptJwk[], subtle: SubtleCrypto = crypto.subtle): Promise<Checked> {
  const [head = '', content = '', signature, ...more] = text.trim().split('.')
  const header = jsonOf(head)
  if (signature === undefined || more.length > 0 || !isHeader(header)) return { kind: 'format' }
  const jwk = keys.find(({ kid }) => kid === header.kid)
  if (jwk === undefined) return { kind: 'unknown-key' }
  const { kty, crv, x, kid } = jwk
  const key = await subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, ['verify'])
  const bytes = bytesOf(signature)
  const signed = new TextEncoder().encode(`${head}.${content}`)
  if (bytes === undefined || !(await subtle.verify({ name: 'Ed25519' }, key, bytes, signed))) return { kind: 'changed' }
  const receipt = jsonOf(content)
  return isReceipt(receipt) ? { kind: 'valid', receipt, kid } : { kind: 'unreadable' }
}

/** `isSame`: the bytes of a file are those of a receipt's request or answer. `sha256` is the file's own. */
export type ComparedBody = { readonly isSame: boolean; readonly sha256: string; readonly bytes: number }

/** Compares a file with the hash that a receipt states. The file stays in this browser. */
export async function compareBody(
  file: Blob,
  stated: Pick<NonNullable<Receipt['bodies']>['request'], 'sha256'>,
  subtle: SubtleCrypto = crypto.subtle,
): Promise<ComparedBody> {
  const digest = new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer()))
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return { isSame: sha256 === stated.sha256, sha256, bytes: file.size }
}

/** The outcome of a file with a receipt on each line. */
export type CheckedFile = {
  readonly receipts: number
  readonly valid: number
  /** The charges of the valid ones together, less what they give back. */
  readonly quota: bigint
  /** The first line that is not valid. */
  readonly wrong: { readonly line: number; readonly kind: ReceiptFault } | undefined
}

/** Checks every line that is not empty, as the export of a month has them. */
export async function verifyReceipts(
  lines: readonly string[],
  keys: readonly ReceiptJwk[],
  subtle: SubtleCrypto = crypto.subtle,
): Promise<CheckedFile> {
  let [receipts, valid, quota] = [0, 0, 0n]
  let wrong: CheckedFile['wrong']
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    receipts += 1
    const checked = await verifyReceipt(line, keys, subtle)
    if (checked.kind === 'valid') {
      valid += 1
      quota += BigInt(checked.receipt.charge.quota)
    } else wrong ??= { line: index + 1, kind: checked.kind }
  }
  return { receipts, valid, quota, wrong }
}

/** The gateway makes what it signs by the schema of the version. */
function isReceipt(value: unknown): value is Receipt {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === '1'
}

type Header = { readonly kid: string }

/** A header that asks for more than is known here (`crit`) is refused. */
function isHeader(value: unknown): value is Header {
  if (typeof value !== 'object' || value === null || 'crit' in value) return false
  const isOurs = 'typ' in value && value.typ === RECEIPT_TYPE && 'kid' in value && typeof value.kid === 'string'
  return isOurs && 'alg' in value && (value.alg === 'EdDSA' || value.alg === 'Ed25519')
}

function jsonOf(part: string): unknown {
  const bytes = bytesOf(part)
  if (bytes === undefined) return undefined
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The caller says that it is no receipt.
    return undefined
  }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(base64url)) return undefined
  try {
    return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  } catch {
    // A length that base64 cannot have.
    return undefined
  }
}
