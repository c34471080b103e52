import type { Part, SigningFormat, VendorSpecificPart } from './request.ts'

/**
 * A vendor's proof of its reasoning, carried through a client of another format in a field that clients return unread, so that the vendor
 * gets its own proof back in the next turn. `redacted`: reasoning without its text. `call`: belongs to the tool call that follows.
 */
export type Proof = { readonly by: SigningFormat; readonly kind: 'signature' | 'redacted' | 'call'; readonly data: string }

/** No vendor's own proof begins with this. */
const MARK = 'tollgate.'
const BY = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'bedrock-converse',
] as const satisfies readonly SigningFormat[]
const KINDS = ['signature', 'redacted', 'call'] as const

/** The signature of reasoning whose vendor gave none; many clients drop an empty one. */
export const UNSIGNED = `${MARK}unsigned`

export const wrapProof = ({ by, kind, data }: Proof): string => `${MARK}${by}.${kind}.${data}`

/** True if this gateway wrote the field, for a vendor of another format. */
export const isWrapped = (text: string | undefined): boolean => text?.startsWith(MARK) === true

/** Undefined: the text is not a wrapped proof. */
export function unwrapProof(text: string): Proof | undefined {
  const [, name, word] = isWrapped(text) ? text.split('.', 3) : []
  const by = BY.find((known) => known === name)
  const kind = KINDS.find((known) => known === word)
  return by === undefined || kind === undefined ? undefined : { by, kind, data: text.slice(`${MARK}${by}.${kind}.`.length) }
}

const CALL_PROOF = 'call-proof'

/** The proof of the next call, as a part until `joinCallProofs`. Only Gemini signs calls. */
export const callProofPart = ({ data }: Proof): Part => ({ kind: 'vendor-specific', by: 'gemini', type: CALL_PROOF, raw: { data } })

/** Gives each call the proof before it. */
export function joinCallProofs(parts: readonly Part[]): readonly Part[] {
  if (!parts.some(isCallProof)) return parts
  let signature: string | undefined
  return parts.flatMap((part): Part[] => {
    if (isCallProof(part)) {
      signature = String(part.raw['data'])
      return []
    }
    if (part.kind !== 'tool-call' || signature === undefined) return [part]
    const signed = { ...part, signature }
    signature = undefined
    return [signed]
  })
}

const isCallProof = (part: Part): part is VendorSpecificPart => part.kind === 'vendor-specific' && part.type === CALL_PROOF
