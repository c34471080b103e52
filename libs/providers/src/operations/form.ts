import type { JsonObject } from '../json.ts'

/** A form with files (multipart/form-data) as it was read: https://www.rfc-editor.org/rfc/rfc7578 */
export type Form = {
  readonly parts: readonly FormPart[]
  /** Seconds of the audio file, where it is one that could be measured. */
  readonly audio?: Measured | undefined
}

export type FormPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | { readonly kind: 'file'; readonly name: string; readonly filename: string; readonly type: string; readonly bytes: Buffer }

/** How long an audio file is. */
export type Measured = {
  readonly seconds: number
  /** False: by its size alone, because nothing in it says more. */
  readonly isRead: boolean
}

/** The fields by name; undefined: one that decides what the call is or costs is there twice, and nobody knows which one counts. */
export function fieldsOf({ parts }: Form): JsonObject | undefined {
  const fields: Record<string, unknown> = {}
  for (const part of parts) {
    if (part.kind !== 'field') continue
    if (!part.name.endsWith('[]') && Object.hasOwn(fields, part.name)) return undefined
    fields[part.name] = part.value
  }
  return fields
}

export function filesOf({ parts }: Form, ...names: readonly string[]): number {
  return parts.filter((part) => part.kind === 'file' && names.includes(part.name)).length
}

/** The form as bytes with some fields exchanged or added; the boundary must not occur in it. */
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

/** As browsers write names: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
const quoted = (text: string) => text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
