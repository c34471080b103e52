import type { ChatFormat } from '../../chat/request.ts'

/**
 * Proofs of reasoning that other vendors made travel to a client of this format as thought signatures, which it gives back as they
 * are: base64 of `tollgate:`, what it is, whose it is, and the proof itself.
 */
export type Proof = { readonly kind: 'signature' | 'redacted'; readonly by: ChatFormat; readonly text: string }

/** Base64 of `tollgate:`; nine bytes are twelve whole characters. */
const MARK = 'dG9sbGdhdGU6'
const CHAT_FORMATS: readonly ChatFormat[] = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini']

/** A proof as a thought signature; Google's own stay as they are. */
export function encodeProof({ kind, by, text }: Proof): string {
  if (by === 'gemini' && kind === 'signature') return text
  return Buffer.from(`tollgate:${kind}:${by}:${text}`).toString('base64')
}

/** The other way; a signature without our mark is Google's. */
export function decodeProof(signature: string): Proof {
  const own: Proof = { kind: 'signature', by: 'gemini', text: signature }
  if (!signature.startsWith(MARK)) return own
  const [, kind, by, ...rest] = Buffer.from(signature, 'base64').toString().split(':')
  const format = CHAT_FORMATS.find((name) => name === by)
  if (format === undefined || (kind !== 'signature' && kind !== 'redacted')) return own
  return { kind, by: format, text: rest.join(':') }
}
