import type { JsonObject } from '../json.ts'
import type { ModelEvent } from './events.ts'

/** Log probabilities of an answer are in every format the event that Chat Completions has for them. */
export type LogprobsEvent = Extract<ModelEvent, { kind: 'vendor-specific' }>

/** `raw`: `logprobs` of a choice. https://platform.openai.com/docs/api-reference/chat/object */
export const logprobsEvent = (raw: JsonObject): LogprobsEvent => ({ kind: 'vendor-specific', by: 'openai-chat', type: 'logprobs', raw })

export function isLogprobs(event: ModelEvent): event is LogprobsEvent {
  return event.kind === 'vendor-specific' && event.by === 'openai-chat' && event.type === 'logprobs'
}
