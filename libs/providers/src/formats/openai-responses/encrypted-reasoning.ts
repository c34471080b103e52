import type { ChatFormat, RedactedThinkingPart, ThinkingPart } from '../../chat/request.ts'

/**
 * Signatures of other vendors' reasoning are sent in `encrypted_content`, the one field that clients of this format return unread. So a
 * conversation keeps its reasoning over several turns although client and vendor use different formats. OpenAI's own is passed unchanged;
 * ours starts with this prefix.
 */
const MARK = 'tollgate.'
const BY = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const satisfies readonly ChatFormat[]

type Proof = { readonly by: ChatFormat; readonly kind: 'signature' | 'redacted'; readonly data: string }

export function sealProof({ by, kind, data }: Proof): string {
  return by === 'openai-responses' ? data : `${MARK}${by}.${kind}.${data}`
}

/** Whether this gateway wrote the field, for reasoning of another vendor. */
export const isOwnProof = (encrypted: string | undefined): boolean => encrypted?.startsWith(MARK) === true

/** Decodes a reasoning item; `undefined` if it is empty. */
export function openReasoning(text: string, encrypted: string | undefined): ThinkingPart | RedactedThinkingPart | undefined {
  const proof = encrypted === undefined ? undefined : openProof(encrypted)
  if (proof === undefined) return text === '' ? undefined : { kind: 'thinking', text, by: 'openai-responses' }
  const { by, kind, data } = proof
  if (text === '' && (kind === 'redacted' || by === 'openai-responses')) return { kind: 'redacted-thinking', data, by }
  return { kind: 'thinking', text, signature: data, by }
}

function openProof(encrypted: string): Proof {
  const [, name, word] = encrypted.startsWith(MARK) ? encrypted.split('.', 3) : []
  const by = BY.find((known) => known === name)
  if (by === undefined || (word !== 'signature' && word !== 'redacted')) {
    return { by: 'openai-responses', kind: 'signature', data: encrypted }
  }
  return { by, kind: word, data: encrypted.slice(`${MARK}${by}.${word}.`.length) }
}
