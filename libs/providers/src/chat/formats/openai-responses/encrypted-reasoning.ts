import { callProofPart, unwrapProof, wrapProof, type Proof } from '../../proof.ts'
import type { Part, RedactedThinkingPart, ThinkingPart } from '../../request.ts'

/** The value of `encrypted_content`, the one field that clients of this format return unread. OpenAI's own is passed unchanged. */
export function sealProof(proof: Proof): string {
  return proof.by === 'openai-responses' && proof.kind !== 'call' ? proof.data : wrapProof(proof)
}

/** Decodes a reasoning item; `undefined` if it is empty. */
export function openReasoning(text: string, encrypted: string | undefined): ThinkingPart | RedactedThinkingPart | undefined {
  const proof = encrypted === undefined ? undefined : proofOf(encrypted)
  if (proof === undefined) return text === '' ? undefined : { kind: 'thinking', text, by: 'openai-responses' }
  const { by, kind, data } = proof
  if (text === '' && (kind === 'redacted' || by === 'openai-responses')) return { kind: 'redacted-thinking', data, by }
  return { kind: 'thinking', text, signature: data, by }
}

/** The part of a reasoning item in a request: reasoning, or the proof of the call that follows. */
export function reasoningPart(text: string, encrypted: string | undefined): Part | undefined {
  const proof = encrypted === undefined ? undefined : unwrapProof(encrypted)
  return proof?.kind === 'call' ? callProofPart(proof) : openReasoning(text, encrypted)
}

function proofOf(encrypted: string): Proof {
  return unwrapProof(encrypted) ?? { by: 'openai-responses', kind: 'signature', data: encrypted }
}
