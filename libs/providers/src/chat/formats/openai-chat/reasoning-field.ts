import { objectAt, textAt, type JsonObject } from '../../../json.ts'

/** OpenAI has no field for reasoning. DeepSeek's name is the one most vendors and clients use; OpenRouter has the shorter one. */
export const REASONING_FIELD = 'reasoning_content'
export const OTHER_FIELD = 'reasoning'
export const REASONING_FIELDS = [REASONING_FIELD, OTHER_FIELD] as const

/** The reasoning in a message or delta. */
export const readReasoning = (message: JsonObject): string | undefined => textAt(message, REASONING_FIELD) ?? textAt(message, OTHER_FIELD)

/** The field that carries reasoning in a message or delta. */
export const writeReasoning = (text: string): JsonObject => ({ [REASONING_FIELD]: text })

/** Where Google's OpenAI-compatible API has the signature of a call: https://ai.google.dev/gemini-api/docs/thought-signatures */
export const readCallProof = (call: JsonObject): string | undefined =>
  textAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature')

export const writeCallProof = (signature: string | undefined): JsonObject =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }
