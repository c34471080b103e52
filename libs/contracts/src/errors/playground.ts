import type { ErrorRows } from './row.ts'

export const playgroundErrors = {
  'playground.access-token': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    api_code: 'access_token_not_supported',
    zh: '暂不支持使用 access token',
    en: 'Access tokens cannot be used here',
  },
  'playground.model': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    api_code: 'model_required',
    zh: '请选择模型',
    en: 'Choose a model',
  },
  'playground.group': {
    status: 403,
    retry: 'never',
    blame: 'account',
    type: 'new_api_error',
    api_code: 'group_not_allowed',
    zh: '无权访问该分组',
    en: 'You may not use this group',
  },
  'playground.unreachable': {
    status: 503,
    retry: 'never',
    blame: 'us',
    type: 'new_api_error',
    zh: '模型服务暂不可用，请稍后再试',
    en: 'The model service cannot be reached, try again shortly',
  },
} as const satisfies ErrorRows
