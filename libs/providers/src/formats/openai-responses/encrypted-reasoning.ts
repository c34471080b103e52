import type { ChatFormat, RedactedThinkingPart, ThinkingPart } from '../../chat/request.ts'

/**
 * Proof of another vendor's reasoning, inside the one field that clients of this format send back unread: `encrypted_content`. So a
 * conversation keeps its thoughts over several turns although client and vendor speak different formats. OpenAI's own is passed as it
 * is; ours starts with this mark.
 */
const MARK = 'tollgate.'
const BY = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const satisfies readonly ChatFormat[]

type Proof = { readonly by: ChatFormat; readonly kind: 'signature' | 'redacted'; readonly data: string }

export function sealProof({ by, kind, data }: Proof): string {
  return by === 'openai-responses' ? data : `${MARK}${by}.${kind}.${data}`
}

/** The part that a reasoning item stands for; `undefined` for an item that says nothing. */
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
