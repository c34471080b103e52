import { isObject, type JsonObject } from '../../json.ts'

/**
 * What of a Responses body refers to something that the vendor keeps, or to work it does later: no other format can carry it, and
 * leaving it out would answer another question. Names as the client wrote them; empty for a body that says everything itself.
 * https://developers.openai.com/api/docs/guides/conversation-state
 */
export function statefulFields(body: JsonObject): string[] {
  const fields = FIELDS.filter((field) => body[field] !== undefined && body[field] !== null && body[field] !== false)
  const { input } = body
  const refers = Array.isArray(input) && input.some((item) => isObject(item) && item['type'] === 'item_reference')
  return refers ? [...fields, 'input.item_reference'] : fields
}

const FIELDS = ['previous_response_id', 'conversation', 'prompt', 'context_management', 'background']
