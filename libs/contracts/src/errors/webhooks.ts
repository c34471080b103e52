import type { ErrorRows } from './row.ts'

export const webhooksErrors = {
  'webhooks.address': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    field: 'url',
    zh: '端点的地址必须以 https:// 开头，且不含用户名和密码',
    en: 'The address of an endpoint begins with https:// and has no user name and password',
  },
  'webhooks.too-many': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '最多只能有 {count} 个端点',
    en: 'There can be at most {count} endpoints',
  },
} as const satisfies ErrorRows
