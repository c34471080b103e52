import type { ErrorRows } from './row.ts'

export const quotaErrors = {
  'quota.user-short': {
    status: 403,
    retry: 'never',
    blame: 'account',
    type: 'new_api_error',
    api_code: 'insufficient_user_quota',
    zh: '你的余额为 {have}，本次请求最多可能需要 {need}',
    en: 'Your balance is {have}; this request may cost up to {need}',
  },
  'quota.user-empty': {
    status: 403,
    retry: 'never',
    blame: 'account',
    type: 'new_api_error',
    api_code: 'insufficient_user_quota',
    zh: '你的余额已用尽',
    en: 'Your wallet is empty',
  },
  'quota.token-short': {
    status: 403,
    retry: 'never',
    blame: 'account',
    type: 'new_api_error',
    api_code: 'pre_consume_token_quota_failed',
    zh: '该令牌的剩余额度为 {have}，本次请求最多可能需要 {need}',
    en: 'This token has {have} left; this request may cost up to {need}',
  },
} as const satisfies ErrorRows
