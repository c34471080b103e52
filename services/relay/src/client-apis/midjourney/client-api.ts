import type { ClientError } from '../../request/client-error.ts'
import { openAiApi } from '../openai/client-api.ts'
import type { ClientApi } from '../../request/client-api.ts'

/** Codes of the gateway: 4 for a request that cannot be served, 30 for a group whose upstream is saturated. */
const REQUEST_ERROR = 4
const SATURATED = 30
const SATURATED_TEXT = '当前分组负载已饱和，请稍后再试，或升级账户以提升服务质量。'
const NO_QUOTA = new Set(['insufficient_user_quota', 'insufficient_quota', 'pre_consume_token_quota_failed'])

/** `/mj`: https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md */
export const midjourneyApi: ClientApi = {
  ...openAiApi,
  name: 'midjourney',
  refusals: 'other',
  forwardQuery: () => '',
  renderError: (error) => JSON.stringify(toMidjourney(error)),
  renderStreamError: (error) => JSON.stringify(toMidjourney(error)),
}

function toMidjourney({ status, type, code, message }: ClientError) {
  if (status === 429 && type === 'upstream_error') return { description: SATURATED_TEXT, type, code: SATURATED }
  // The header has the request id; clients compare the description.
  const text = message.replace(/ \(request id: \w+\)$/, '')
  const number = Number(code)
  const description = NO_QUOTA.has(code) ? `quota_not_enough ${text}` : text
  return {
    description,
    type: type === 'invalid_request_error' ? 'upstream_error' : type,
    code: Number.isInteger(number) && number > 0 ? number : REQUEST_ERROR,
  }
}
