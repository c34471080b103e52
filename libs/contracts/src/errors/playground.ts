import type { ErrorRows } from './row.ts'

export const playgroundErrors = {
  'playground.access-token': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '暂不支持使用 access token',
    en: 'Access tokens cannot be used here',
  },
  'playground.model': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '请选择模型',
    en: 'Choose a model',
  },
  'playground.group': {
    status: 403,
    retry: 'never',
    blame: 'account',
    type: 'new_api_error',
    zh: '无权访问该分组',
    en: 'You may not use this group',
  },
} as const satisfies ErrorRows
