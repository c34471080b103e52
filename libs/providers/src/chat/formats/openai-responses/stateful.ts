import { isObject, type JsonObject } from '../../../json.ts'

/**
 * The fields of a Responses body that refer to state stored by the vendor or to later work. No other format has them, so such a request
 * cannot be translated. Returns the names as the client wrote them; empty for a self-contained body.
 * https://developers.openai.com/api/docs/guides/conversation-state
 */
export function statefulFields(body: JsonObject): string[] {
  const fields = FIELDS.filter((field) => body[field] !== undefined && body[field] !== null && body[field] !== false)
  const { input } = body
  const refers = Array.isArray(input) && input.some((item) => isObject(item) && item['type'] === 'item_reference')
  return refers ? [...fields, 'input.item_reference'] : fields
}

const FIELDS = ['previous_response_id', 'conversation', 'prompt', 'background']
