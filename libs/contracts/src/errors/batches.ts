import type { ErrorRows } from './row.ts'

/** Refusals of files, batches and background responses. */
export const batchesErrors = {
  'batches.unknown-file': {
    status: 404,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    api_code: 'file_not_found',
    zh: '文件 {id} 不存在',
    en: 'The file {id} does not exist',
  },
  'batches.unknown': {
    status: 404,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    api_code: 'batch_not_found',
    zh: '批处理 {id} 不存在',
    en: 'The batch {id} does not exist',
  },
  'batches.too-many': {
    status: 429,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    api_code: 'too_many_open_requests',
    zh: '未结束的任务已达上限 {limit} 个，请等待其结束',
    en: 'At most {limit} may be open at a time; wait until one has ended',
  },
  'batches.storage-full': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    api_code: 'storage_full',
    zh: '存储的文件过多（上限 {limit} 字节），请先删除一些',
    en: 'Too many files are stored (at most {limit} bytes); delete some first',
  },
  'batches.unavailable': {
    status: 503,
    retry: 'same',
    blame: 'us',
    type: 'server_error',
    api_code: 'batches_unavailable',
    zh: '暂时无法读取文件和批处理，请稍后再试',
    en: 'Files and batches cannot be read at the moment, try again later',
  },
} as const satisfies ErrorRows
