import type { ClientError } from '../../request/client-error.ts'
import { openAiApi } from '../openai/client-api.ts'
import type { ClientApi } from '../../request/client-api.ts'

const NO_QUOTA = new Set(['insufficient_user_quota', 'insufficient_quota', 'pre_consume_token_quota_failed'])

/** Scripts of this API compare it. */
const NO_QUOTA_TEXT = 'user quota is not enough'

/** `/suno` */
export const sunoApi: ClientApi = {
  ...openAiApi,
  name: 'suno',
  refusals: 'other',
  forwardQuery: () => '',
  renderError: (error) => JSON.stringify(toSuno(error)),
  renderStreamError: (error) => JSON.stringify(toSuno(error)),
}

function toSuno({ code, message }: ClientError) {
  if (NO_QUOTA.has(code)) return { code: 'quota_not_enough', message: NO_QUOTA_TEXT, data: null }
  return { code, message: message.replace(/ \(request id: \w+\)$/, ''), data: null }
}
