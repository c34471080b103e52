import type { AnswerInput } from '../../codec.ts'
import type { JsonObject } from '../../../json.ts'

/** How the answer ended, in the format's fields. */
export type Outcome = {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  readonly reason?: 'max_output_tokens'
}

/**
 * The error of an answer that the vendor's filter ended. Agents show it and stop, where they repeat an `incomplete` response, each time
 * at the user's expense. Code: https://platform.openai.com/docs/api-reference/responses/object
 */
const FILTERED = { code: 'invalid_prompt', message: 'The vendor refused this request by its content policy.' }

/**
 * The response object, which the first and last events of a stream repeat: every key that strict SDKs read, with the client's settings.
 * https://developers.openai.com/api/reference/resources/responses
 */
export function toResponse(id: string, input: AnswerInput, outcome: Outcome, rest: JsonObject): JsonObject {
  const { body, created, model } = input
  const given = (field: string, otherwise: unknown) => body[field] ?? otherwise
  const isOver = outcome.status !== 'in_progress'
  return {
    id,
    object: 'response',
    created_at: created,
    status: outcome.status,
    background: false,
    ...(outcome.status === 'completed' ? { completed_at: created } : {}),
    error: outcome.status === 'failed' ? FILTERED : null,
    incomplete_details: outcome.reason === undefined ? null : { reason: outcome.reason },
    instructions: given('instructions', null),
    max_output_tokens: given('max_output_tokens', null),
    max_tool_calls: given('max_tool_calls', null),
    model,
    output: [],
    parallel_tool_calls: given('parallel_tool_calls', true),
    previous_response_id: input.state?.previous_response_id ?? null,
    prompt_cache_key: given('prompt_cache_key', null),
    reasoning: { effort: null, summary: null, ...(typeof body['reasoning'] === 'object' ? body['reasoning'] : {}) },
    safety_identifier: given('safety_identifier', null),
    service_tier: given('service_tier', isOver ? 'default' : 'auto'),
    // A later request can refer to this answer only if it is kept.
    store: input.state?.is_stored ?? false,
    temperature: given('temperature', 1),
    text: { format: { type: 'text' }, ...(typeof body['text'] === 'object' ? body['text'] : {}) },
    tool_choice: given('tool_choice', 'auto'),
    tools: given('tools', []),
    top_logprobs: given('top_logprobs', 0),
    top_p: given('top_p', 1),
    truncation: given('truncation', 'disabled'),
    usage: null,
    user: given('user', null),
    metadata: given('metadata', {}),
    ...rest,
  }
}
