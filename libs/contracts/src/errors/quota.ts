import type { ErrorRows } from './row.ts'

export const quotaErrors = {
  'quota.user-short': {
    status: 403,
    retry: 'never',
    blame: 'account',
    type: 'new_api_error',
    api_code: 'insufficient_user_quota',
    zh: 'chat pre-consumed quota failed, user quota: {have}, need quota: {need}',
    en: 'chat pre-consumed quota failed, user quota: {have}, need quota: {need}',
  },
  'quota.user-empty': {
    status: 403,
    retry: 'never',
    blame: 'account',
    type: 'new_api_error',
    api_code: 'insufficient_user_quota',
    zh: 'user quota is not enough',
    en: 'user quota is not enough',
  },
  'quota.token-short': {
    status: 403,
    retry: 'never',
    blame: 'account',
    type: 'new_api_error',
    api_code: 'pre_consume_token_quota_failed',
    zh: 'token quota is not enough, token remain quota: {have}, need quota: {need}',
    en: 'token quota is not enough, token remain quota: {have}, need quota: {need}',
  },
} as const satisfies ErrorRows
