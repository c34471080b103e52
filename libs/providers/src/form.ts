import type { JsonObject } from './json.ts'

/** A parsed form (multipart/form-data): https://www.rfc-editor.org/rfc/rfc7578 */
export type Form = {
  readonly parts: readonly FormPart[]
  /** The audio file's duration, if it could be determined. */
  readonly audio?: AudioDuration | undefined
}

export type FormPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | { readonly kind: 'file'; readonly name: string; readonly filename: string; readonly type: string; readonly bytes: Buffer }

/** The duration of an audio file. */
export type AudioDuration = {
  readonly seconds: number
  /** False if it was only estimated from the file size. */
  readonly isRead: boolean
}

/** The fields by name; undefined if a field is repeated, because vendors may disagree on which value applies. */
export function fieldsOf({ parts }: Form): JsonObject | undefined {
  const fields = new Map<string, unknown>()
  for (const part of parts) {
    if (part.kind !== 'field') continue
    if (!part.name.endsWith('[]') && fields.has(part.name)) return undefined
    fields.set(part.name, part.value)
  }
  return Object.fromEntries(fields)
}

export function filesOf({ parts }: Form, ...names: readonly string[]): number {
  return parts.filter((part) => part.kind === 'file' && names.includes(part.name)).length
}

/** Encodes the form with changed or added fields; the boundary must not occur in it. */
export function encodeForm({ parts }: Form, changes: Readonly<Record<string, string>>, boundary: string): Buffer {
  const out: Buffer[] = []
  const left = new Map(Object.entries(changes))
  for (const part of parts) {
    const changed = part.kind === 'field' ? left.get(part.name) : undefined
    if (part.kind === 'field') out.push(Buffer.from(`${headOf(part, boundary)}${changed ?? part.value}\r\n`))
    else out.push(Buffer.from(headOf(part, boundary)), part.bytes, LINE_END)
    if (changed !== undefined) left.delete(part.name)
  }
  for (const [name, value] of left) out.push(Buffer.from(`${headOf({ kind: 'field', name, value }, boundary)}${value}\r\n`))
  out.push(Buffer.from(`--${boundary}--\r\n`))
  return Buffer.concat(out)
}

const LINE_END = Buffer.from('\r\n')

function headOf(part: FormPart, boundary: string): string {
  const named = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(part.name)}"`
  if (part.kind === 'field') return `${named}\r\n\r\n`
  return `${named}; filename="${quoted(part.filename)}"\r\nContent-Type: ${part.type.replace(/[\r\n]/g, '')}\r\n\r\n`
}

/** Escapes names like browsers: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
const quoted = (text: string) => text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
