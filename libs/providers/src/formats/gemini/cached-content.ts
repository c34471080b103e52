import type { JsonObject } from '../../json.ts'
import { textField } from './fields.ts'

/**
 * The beginning of the conversation that Google keeps under this name: no other vendor has it, and leaving it out would answer another
 * question. https://ai.google.dev/gemini-api/docs/caching
 */
export function cachedContentName(body: JsonObject): string | undefined {
  return textField(body, 'cachedContent')
}
