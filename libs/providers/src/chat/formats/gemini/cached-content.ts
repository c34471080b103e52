import type { JsonObject } from '../../../json.ts'
import { textField } from './fields.ts'

/**
 * The name of a cached prefix of the conversation. Only Google has it, so the request cannot be translated.
 * https://ai.google.dev/gemini-api/docs/caching
 */
export function cachedContentName(body: JsonObject): string | undefined {
  return textField(body, 'cachedContent')
}
