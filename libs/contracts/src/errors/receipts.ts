import type { ErrorRows } from './row.ts'

export const receiptsErrors = {
  'receipts.none': {
    status: 404,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '这条日志没有收据：它不是一次计费，或来自没有记录价格的版本',
    en: 'This entry has no receipt: it is no charge, or of a version that did not record its price',
  },
} as const satisfies ErrorRows
