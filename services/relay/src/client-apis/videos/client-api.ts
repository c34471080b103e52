import type { ClientError } from '../../request/client-error.ts'
import type { ClientApi } from '../../request/client-api.ts'
import { openAiApi } from '../openai/client-api.ts'

/** `/kling`: errors with Kling's codes, https://app.klingai.com/global/dev/document-api (error codes), as in copies of it. */
export const klingApi: ClientApi = {
  ...openAiApi,
  name: 'kling',
  refusals: 'other',
  forwardQuery: () => '',
  renderError: (error) => JSON.stringify({ code: KLING_CODES[error.status] ?? 5000, message: error.message }),
}

const KLING_CODES: Readonly<Record<number, number>> = { 400: 1201, 401: 1000, 402: 1102, 403: 1103, 404: 1203, 413: 1201, 429: 1302 }

/** `/api/v3`: Ark's errors have OpenAI's shape. */
export const arkApi: ClientApi = { ...openAiApi, refusals: 'other', forwardQuery: () => '' }

/** `/jimeng`: errors with the codes of Volcengine's visual services. */
export const jimengApi: ClientApi = {
  ...openAiApi,
  name: 'jimeng',
  refusals: 'other',
  forwardQuery: () => '',
  renderError: (error) => JSON.stringify(toJimeng(error)),
}

function toJimeng({ status, message }: ClientError) {
  const code = status === 429 ? 50_429 : status >= 500 ? 50_500 : 50_400
  return { code, status: code, message, data: null }
}
