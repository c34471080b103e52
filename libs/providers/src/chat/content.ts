import type { JsonObject } from '../json.ts'
import type { Message, Part } from './request.ts'

/** Where a part is: a message of this role, or the result of a tool. */
export type Place = Message['role'] | 'result'

/** A kind of content besides text in a request or its answer, and the field that requests it. */
export type Content = { readonly path: string; readonly place: Place; readonly wants: Part | Output }

/** A kind of answer besides text. */
export type Output = { readonly kind: 'output'; readonly modality: 'audio' | 'image' }

export type CarriedContext = {
  /** The model as the client named it: some formats have parts that only certain models accept. */
  readonly model: string
}

const TEXTUAL: ReadonlySet<string> = new Set(['text', 'refusal', 'thinking', 'redacted-thinking', 'tool-call', 'tool-result'])

/** The contents that are not text, among the parts of one field. */
export function contentsOf(path: string, place: Place, parts: readonly Part[]): Content[] {
  return parts.filter(({ kind }) => !TEXTUAL.has(kind)).map((wants) => ({ path, place, wants }))
}

/** The parts of a list in a body, decoded one by one, so that each has its path. Texts are not decoded. */
export function listContents(
  list: readonly unknown[],
  at: { readonly path: string; readonly place: Place },
  decode: (part: JsonObject) => readonly Part[],
): Content[] {
  return list.flatMap((part, index) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return []
    return contentsOf(`${at.path}[${index}]`, at.place, decode(part as JsonObject)) // narrowed above
  })
}

/** A part of an earlier answer that only its vendor understands is dropped with a warning; everything else is the client's content. */
export function isDispensable({ place, wants }: Content): boolean {
  return wants.kind === 'vendor-specific' && place === 'assistant'
}
