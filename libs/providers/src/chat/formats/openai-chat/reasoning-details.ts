import type { ModelEvent } from '../../events.ts'
import type { RedactedThinkingPart, ThinkingPart } from '../../request.ts'
import { objectsAt, parseJsonObject, pick, textAt, type JsonObject } from '../../../json.ts'

/**
 * Reasoning of OpenRouter with its proofs: entries of type `reasoning.text` (with a signature), `reasoning.summary` and
 * `reasoning.encrypted`, each with the `format` of the vendor behind it. https://openrouter.ai/docs/use-cases/reasoning-tokens (read
 * 2026-11-24)
 */
const FIELD = 'reasoning_details'
const ANTHROPIC = 'anthropic-claude-v1'

/** Reads the entries of one answer, which a stream sends in pieces under an `index`. */
export class ReasoningDetailsReader {
  #open: unknown

  /** Undefined: the message or delta has no entries. `text`: the same reasoning as the plain field has it. */
  read(message: JsonObject, text: string | undefined): ModelEvent[] | undefined {
    const details = objectsAt(message, FIELD)
    if (details.length === 0) return undefined
    const events = details.flatMap((detail) => this.#readOne(detail))
    if (text === undefined || events.some(({ kind }) => kind === 'reasoning')) return events
    return [{ kind: 'reasoning', text }, ...events]
  }

  #readOne(detail: JsonObject): ModelEvent[] {
    const isAnthropic = detail['format'] === ANTHROPIC
    const by = isAnthropic ? 'anthropic-messages' : 'openai-chat'
    const data = textAt(detail, 'data')
    if (data !== undefined) return [{ kind: 'redacted-reasoning', data: isAnthropic ? data : proofOf(detail), by }]
    const text = textAt(detail, 'text') ?? textAt(detail, 'summary') ?? ''
    const signature = textAt(detail, 'signature')
    const events: ModelEvent[] = []
    const { index } = detail
    if (this.#open !== undefined && index !== undefined && this.#open !== index) events.push({ kind: 'block-break' })
    if (text !== '') events.push({ kind: 'reasoning', text })
    this.#open = index ?? this.#open
    if (signature !== undefined) events.push({ kind: 'reasoning-signature', signature: isAnthropic ? signature : proofOf(detail), by })
    return events
  }
}

/** Fields of an entry that OpenRouter needs back, without its text and place. */
const PROOF = ['type', 'id', 'format', 'signature', 'data']
const proofOf = (detail: JsonObject): string => JSON.stringify(pick(detail, PROOF))

/** The entry for reasoning of an earlier turn; undefined: it was not proved by OpenRouter or Anthropic. */
export function toReasoningDetail(part: ThinkingPart | RedactedThinkingPart): JsonObject | undefined {
  const { by } = part
  if (part.kind === 'redacted-thinking') {
    if (by === 'anthropic-messages') return { type: 'reasoning.encrypted', data: part.data, format: ANTHROPIC }
    return by === 'openai-chat' ? proofIn(part.data) : undefined
  }
  const { text, signature } = part
  if (signature === undefined) return undefined
  if (by === 'anthropic-messages') return { type: 'reasoning.text', text, signature, format: ANTHROPIC }
  const proof = by === 'openai-chat' ? proofIn(signature) : undefined
  return proof === undefined ? undefined : { ...proof, [proof['type'] === 'reasoning.summary' ? 'summary' : 'text']: text }
}

/** Clients return proofs, so only known fields are kept. */
function proofIn(text: string): JsonObject | undefined {
  const proof = parseJsonObject(text)
  return textAt(proof, 'type') === undefined ? undefined : pick(proof ?? {}, PROOF)
}

/** The field of an assistant message. */
export const writeReasoningDetails = (details: readonly JsonObject[]): JsonObject =>
  details.length === 0 ? {} : { [FIELD]: details.map((detail, index) => ({ ...detail, index })) }
