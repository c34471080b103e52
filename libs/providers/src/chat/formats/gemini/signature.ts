import type { SigningFormat } from '../../request.ts'

/**
 * Signatures of other vendors' reasoning are sent to clients of this format as thought signatures, which they return unchanged: base64 of
 * `tollgate:`, the kind, the format and the signature itself.
 */
export type Proof = { readonly kind: 'signature' | 'redacted'; readonly by: SigningFormat; readonly text: string }

/** Base64 of `tollgate:`; nine bytes are exactly twelve characters. */
export const MARK = 'dG9sbGdhdGU6'
const SIGNING_FORMATS: readonly SigningFormat[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini', 'bedrock-converse']

/** Encodes a thought signature; Google's own stay unchanged. */
export function encodeProof({ kind, by, text }: Proof): string {
  if (by === 'gemini' && kind === 'signature') return text
  return Buffer.from(`tollgate:${kind}:${by}:${text}`).toString('base64')
}

/** Decodes a thought signature; one without our prefix is Google's. */
export function decodeProof(signature: string): Proof {
  const own: Proof = { kind: 'signature', by: 'gemini', text: signature }
  if (!signature.startsWith(MARK)) return own
  const [, kind, by, ...rest] = Buffer.from(signature, 'base64').toString().split(':')
  const format = SIGNING_FORMATS.find((name) => name === by)
  if (format === undefined || (kind !== 'signature' && kind !== 'redacted')) return own
  return { kind, by: format, text: rest.join(':') }
}
