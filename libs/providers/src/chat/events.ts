import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { isObject, textAt, type JsonObject } from '../json.ts'
import type { ChatFormat, SigningFormat } from './request.ts'
import type { Finish } from './answer-facts.ts'

/**
 * One event of an answer in the canonical chat model; a whole answer is a list of them. They keep the vendor's order. Blocks have no
 * events: an encoder whose format has blocks closes one when the kind (or a tool's index) changes. At most one `finish` or `failed` is
 * emitted, and only `usage` can follow it.
 */
export type ModelEvent =
  /** The answer has started. `usage`: what upstream reported before the answer, for an estimate if it is cut off. */
  | { readonly kind: 'start'; readonly id?: string; readonly model?: string; readonly usage?: Usage }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** Signature of the preceding reasoning; completes its block. */
  | { readonly kind: 'reasoning-signature'; readonly signature: string; readonly by: SigningFormat }
  | { readonly kind: 'redacted-reasoning'; readonly data: string; readonly by: SigningFormat }
  /** Another block of the same kind starts (a second reasoning summary, a second text block). */
  | { readonly kind: 'block-break' }
  | { readonly kind: 'refusal'; readonly text: string }
  /** A call starts. `index` counts the calls of this answer from 0; ids are never empty (the decoder makes one if necessary). */
  | { readonly kind: 'tool-call'; readonly index: number; readonly id: string; readonly name: string; readonly signature?: string }
  /** A piece of the call's arguments, as JSON text; all pieces of one call joined are its arguments. */
  | { readonly kind: 'tool-arguments'; readonly index: number; readonly text: string }
  | { readonly kind: 'image'; readonly media_type: string; readonly data: string }
  | { readonly kind: 'audio'; readonly data: string; readonly transcript?: string; readonly id?: string }
  /** The source of a piece of the preceding text. */
  | { readonly kind: 'citation'; readonly url?: string; readonly title?: string; readonly text?: string; readonly raw: JsonObject }
  /** Content that exists only in its own format (a server tool's call, grounding). */
  | { readonly kind: 'vendor-specific'; readonly by: ChatFormat; readonly type: string; readonly raw: JsonObject }
  /** Running or final usage; the last one counts. `raw` is the vendor's object. */
  | { readonly kind: 'usage'; readonly usage: Usage; readonly raw: JsonObject }
  | { readonly kind: 'finish'; readonly finish: Finish; readonly stop_sequence?: string; readonly unknown?: string }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** Texts of the model in a vendor-specific part: name, arguments and code of a call that the vendor runs. */
export function vendorTexts({ raw }: Extract<ModelEvent, { kind: 'vendor-specific' }>): string[] {
  const texts = ['name', 'arguments', 'input', 'code'].flatMap((key) => textAt(raw, key) ?? [])
  return isObject(raw['input']) ? [...texts, JSON.stringify(raw['input'])] : texts
}
