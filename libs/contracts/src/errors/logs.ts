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
  'logs.archive-month': {
    status: 409,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '该月份尚未结束、已经归档或没有归档',
    en: 'This month has not ended, is already archived, or is not archived',
  },
  'logs.archived': {
    status: 409,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '所选时间的部分日志已归档，请选择其他时间，或请管理员恢复',
    en: 'Part of this time is archived: choose another one, or ask an administrator to restore it',
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
