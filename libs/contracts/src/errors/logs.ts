import type { ErrorRows } from './row.ts'

export const logsErrors = {
  'logs.target': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: 'target timestamp is required',
    en: 'target timestamp is required',
  },
  'logs.range': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '使用这些筛选条件时，时间跨度不能超过 31 天',
    en: 'With these filters choose a range of at most 31 days',
  },
  'dashboard.range': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '时间跨度不能超过 1 个月',
    en: 'The range must not be longer than a month',
  },
} as const satisfies ErrorRows
