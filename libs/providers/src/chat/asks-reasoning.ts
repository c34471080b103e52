import { isObject, objectAt, type JsonObject } from '../json.ts'

/** True if a body of any chat format asks for reasoning. */
export function asksReasoning(body: JsonObject): boolean {
  const { reasoning_effort, thinking, reasoning } = body
  if (isObject(thinking)) return thinking['type'] !== 'disabled'
  if (isObject(reasoning)) return reasoning['effort'] !== 'none' && reasoning['enabled'] !== false
  if (typeof reasoning_effort === 'string') return reasoning_effort !== 'none'
  const config = isObject(body['generationConfig']) ? body['generationConfig'] : objectAt(body, 'generation_config')
  return isObject(config['thinkingConfig'] ?? config['thinking_config'])
}
