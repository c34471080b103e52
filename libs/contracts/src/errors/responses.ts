import type { ErrorRows } from './row.ts'

/** Texts and codes are OpenAI's, because its clients read them. */
export const responsesErrors = {
  'response.missing': {
    status: 404,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    api_code: '',
    zh: "Response with id '{id}' not found.",
    en: "Response with id '{id}' not found.",
  },
  'response.previous-missing': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    api_code: 'previous_response_not_found',
    zh: "Previous response with id '{id}' not found.",
    en: "Previous response with id '{id}' not found.",
  },
  'response.item-missing': {
    status: 404,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    api_code: '',
    zh: "Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
    en: "Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
  },
  'response.too-long': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    api_code: 'conversation_too_long',
    zh: '所引用的对话超过上限 {limit} KB，请在 input 中发送所需内容',
    en: 'The earlier turns that this request refers to are over the limit of {limit} KB; send what is needed in input',
  },
  'response.unavailable': {
    status: 503,
    retry: 'never',
    blame: 'us',
    type: 'server_error',
    api_code: 'response_state_unavailable',
    zh: '暂时无法读取已保存的回答，请稍后再试',
    en: 'Kept responses cannot be read at the moment, try again later',
  },
} as const satisfies ErrorRows
