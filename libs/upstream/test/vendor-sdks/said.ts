import { isObject, listAt, objectAt, objectsAt, textAt, type JsonObject } from '@tollgate/providers/json'
import type { ApiFormat } from '@tollgate/providers/calls/api-format'

/** Text and usage of a vendor's answer, read without our decoders. */
export type Said = { readonly texts: readonly string[]; readonly prompt_tokens: number | undefined }

const numberAt = (value: unknown, name: string): number | undefined => {
  const found = isObject(value) ? value[name] : undefined
  return typeof found === 'number' ? found : undefined
}
const given = (texts: readonly (string | undefined)[]): readonly string[] => texts.flatMap((text) => (text === undefined ? [] : [text]))
const textParts = (parts: readonly JsonObject[]): readonly string[] =>
  given(parts.map((part) => (part['type'] === 'text' ? textAt(part, 'text') : undefined)))

const READERS: Partial<Record<ApiFormat, (answer: JsonObject) => Said>> = {
  'openai-chat': (answer) => {
    const message = objectAt(objectsAt(answer, 'choices')[0], 'message')
    const own = given([textAt(message, 'content'), textAt(message, 'refusal'), textAt(objectAt(message, 'audio'), 'transcript')])
    return { texts: [...own, ...textParts(objectsAt(message, 'content'))], prompt_tokens: numberAt(answer['usage'], 'prompt_tokens') }
  },
  'anthropic-messages': (answer) => ({ texts: textParts(objectsAt(answer, 'content')), prompt_tokens: undefined }),
  'bedrock-converse': (answer) => ({
    texts: given(objectsAt(objectAt(objectAt(answer, 'output'), 'message'), 'content').map((part) => textAt(part, 'text'))),
    prompt_tokens: undefined,
  }),
  gemini: (answer) => {
    const parts = objectsAt(objectAt(objectsAt(answer, 'candidates')[0], 'content'), 'parts')
    return { texts: given(parts.map((part) => (part['thought'] === true ? undefined : textAt(part, 'text')))), prompt_tokens: undefined }
  },
  'replicate-chat': (answer) => ({
    texts: given([textAt(answer, 'output'), ...listAt(answer, 'output').map((one) => (typeof one === 'string' ? one : undefined))]),
    prompt_tokens: undefined,
  }),
}

export function saidIn(format: ApiFormat, answer: unknown): Said {
  const read = READERS[format]
  if (read === undefined || !isObject(answer)) throw new Error(`no reader of ${format}`)
  return read(answer)
}
