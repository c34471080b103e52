import type { VendorTraits } from '../../codec.ts'
import { instructionOf } from '../../format-instruction.ts'
import type { OutputFormat } from '../../request.ts'
import { listAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeFormat } from './decode-tools.ts'
import { hasSchemas } from './model-rules.ts'

type Schema = Extract<OutputFormat, { kind: 'schema' }>

/** The schema of a body whose model has no field for one. */
export function findToldSchema(body: JsonObject, traits: VendorTraits): Schema | undefined {
  if (body['response_format'] === undefined || hasSchemas(textAt(body, 'model') ?? '', traits)) return undefined
  const format = decodeFormat(body['response_format'])
  return format?.kind === 'schema' ? format : undefined
}

/** The body with such a schema as an instruction after its first system messages, as conversion gives it; the same object without one. */
export function withToldSchema(body: JsonObject, traits: VendorTraits): JsonObject {
  const format = findToldSchema(body, traits)
  if (format === undefined) return body
  const { response_format: _format, ...rest } = body
  const messages = listAt(body, 'messages')
  const first = messages.findIndex((message) => !SYSTEM.has(textAt(message, 'role')))
  const at = first === -1 ? messages.length : first
  const instruction = { role: 'system', content: instructionOf(format) }
  return {
    ...rest,
    messages: [...messages.slice(0, at), instruction, ...messages.slice(at)],
    ...(format.schema['type'] === 'object' ? { response_format: { type: 'json_object' } } : {}),
  }
}

const SYSTEM: ReadonlySet<string | undefined> = new Set(['system', 'developer'])
