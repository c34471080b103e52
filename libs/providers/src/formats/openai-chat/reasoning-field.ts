import { textAt, type JsonObject } from '../../json.ts'

/** OpenAI has no field for reasoning. DeepSeek's name is the one most vendors and clients use; OpenRouter has the shorter one. */
export const REASONING_FIELD = 'reasoning_content'
const OTHER_FIELD = 'reasoning'
export const REASONING_FIELDS = [REASONING_FIELD, OTHER_FIELD] as const

/** The reasoning in a message or delta. */
export const readReasoning = (message: JsonObject): string | undefined => textAt(message, REASONING_FIELD) ?? textAt(message, OTHER_FIELD)

/** The field that carries reasoning in a message or delta. */
export const writeReasoning = (text: string): JsonObject => ({ [REASONING_FIELD]: text })
