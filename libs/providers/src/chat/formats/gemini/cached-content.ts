import { objectAt, type JsonObject } from '../../../json.ts'
import { objectField, textField } from './fields.ts'

/**
 * The name of a cached prefix of the conversation. Only Google has it, so the request cannot be translated.
 * https://ai.google.dev/gemini-api/docs/caching
 */
export function cachedContentName(body: JsonObject): string | undefined {
  return textField(body, 'cachedContent')
}

/** The same in every body that can name one: Google's own, counts of its tokens, and OpenAI's with Google's own fields. */
export function cachedContentIn(body: JsonObject): string | undefined {
  const places = [
    body,
    objectField(body, 'generateContentRequest'),
    objectAt(body, 'google'),
    objectAt(objectAt(body, 'extra_body'), 'google'),
  ]
  return places.map(cachedContentName).find((name) => name !== undefined)
}
