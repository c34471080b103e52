import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { isObject } from '../../json.ts'

/** OpenAI's code, by which agents know that the conversation must be shortened; the words alone are not enough for them. */
export const OVERFLOW_CODE = 'context_length_exceeded'

/** Vendors' words for a prompt that is longer than the model's window, each with the vendor that was seen to use it. */
const WORDS: readonly RegExp[] = [
  // Anthropic: https://platform.claude.com/docs/en/build-with-claude/context-windows
  /prompt is too long/i,
  /exceeds? context limit/i,
  // Gemini
  /input token count.{0,40} exceeds the maximum/i,
  // OpenAI, DeepSeek, vLLM, Mistral, OpenRouter
  /maximum context length/i,
  /exceeds? the (model'?s )?(available )?context (window|length|size)/i,
  /context[ _]length[ _]exceeded/i,
  // Bedrock
  /input is too long for (the )?requested model/i,
  // xAI
  /maximum prompt length is/i,
  // Moonshot
  /exceeded model token limit/i,
  // DashScope
  /range of input length should be/i,
  // Zhipu, code 1261
  /prompt 超长/i,
]
const STATUSES = new Set([400, 413, 422])

/**
 * A failure that says that the prompt is longer than the model's window gets the status and code of OpenAI's, with the vendor's words:
 * agents do not shorten a conversation on a 413.
 */
export function markOverflow(failure: UpstreamFailure): UpstreamFailure {
  const { status = 0, code, message, type, body } = failure
  const isOverflow = STATUSES.has(status) && (code === OVERFLOW_CODE || WORDS.some((words) => words.test(message)))
  if (!isOverflow) return failure
  const marked = { ...failure, status: 400, code: OVERFLOW_CODE, type: 'invalid_request_error' }
  return isObject(body) && type === 'request_too_large' ? { ...marked, body: { ...body, type: 'invalid_request_error' } } : marked
}
