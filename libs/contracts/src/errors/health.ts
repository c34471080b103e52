import type { ErrorRows } from './row.ts'

export const healthErrors = {
  'job.queue': {
    status: 404,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '没有这个任务队列',
    en: 'There is no such queue',
  },
  'job.unknown': {
    status: 404,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '这个任务已不在失败列表中',
    en: 'This job is not among the failed jobs any more',
  },
} as const satisfies ErrorRows
