import type { Usage } from '@tollgate/contracts/quote'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import { isObject, textAt, type JsonObject } from '../json.ts'
import type { ChatFormat } from './request.ts'
import type { Finish } from './answer-facts.ts'

/**
 * An answer in our own words, piece by piece; a whole answer is the same list at once. Order is the order in which the vendor
 * said it. Blocks are not marked: an encoder whose format has blocks closes one when the kind (or a tool's index) changes.
 * At most one `finish` or `failed` comes, and nothing but `usage` after it.
 */
export type ModelEvent =
  /** The answer has begun. `usage`: what upstream has reported before any of the answer, for an estimate if it breaks off. */
  | { readonly kind: 'start'; readonly id?: string; readonly model?: string; readonly usage?: Usage }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** Proof of the reasoning before it; makes the block complete. */
  | { readonly kind: 'reasoning-signature'; readonly signature: string; readonly by: ChatFormat }
  | { readonly kind: 'redacted-reasoning'; readonly data: string; readonly by: ChatFormat }
  /** Another block of the same kind begins here (a second reasoning summary, a second text block). */
  | { readonly kind: 'block-break' }
  | { readonly kind: 'refusal'; readonly text: string }
  /** A call begins. `index` counts the calls of this answer from 0; ids are never empty (a decoder makes one where there is none). */
  | { readonly kind: 'tool-call'; readonly index: number; readonly id: string; readonly name: string; readonly signature?: string }
  /** More of its arguments, as JSON text; all pieces of one call joined are its arguments. */
  | { readonly kind: 'tool-arguments'; readonly index: number; readonly text: string }
  | { readonly kind: 'image'; readonly media_type: string; readonly data: string }
  | { readonly kind: 'audio'; readonly data: string; readonly transcript?: string; readonly id?: string }
  /** Where a piece of the text before it comes from. */
  | { readonly kind: 'citation'; readonly url?: string; readonly title?: string; readonly text?: string; readonly raw: JsonObject }
  /** Something that only its own format has (a server tool's call, grounding). */
  | { readonly kind: 'vendor-specific'; readonly by: ChatFormat; readonly type: string; readonly raw: JsonObject }
  /** Running or final usage; the last one counts. `raw` is the vendor's object. */
  | { readonly kind: 'usage'; readonly usage: Usage; readonly raw: JsonObject }
  | { readonly kind: 'finish'; readonly finish: Finish; readonly stop_sequence?: string }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** What the model wrote into a part that only its own format has: name, arguments and code of a call that the vendor runs. */
export function vendorTexts({ raw }: Extract<ModelEvent, { kind: 'vendor-specific' }>): string[] {
  const texts = ['name', 'arguments', 'input', 'code'].flatMap((key) => textAt(raw, key) ?? [])
  return isObject(raw['input']) ? [...texts, JSON.stringify(raw['input'])] : texts
}
