import type { ErrorRows } from './row.ts'

export const invoicesErrors = {
  'invoice.unreadable': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '账单有 {count} 行无法读取（第一处：{file} 第 {line} 行），没有保存任何内容',
    en: '{count} rows of the invoice cannot be read (first: {file}, line {line}); nothing was stored',
  },
  'invoice.empty': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '账单中没有任何用量或金额',
    en: 'The invoice states no usage and no amounts',
  },
  'invoice.too-large': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '账单过大：最多 {characters} 个字符、{days} 天',
    en: 'The invoice is too large: at most {characters} characters and {days} days',
  },
  'invoice.channels': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '账单对应的渠道不存在',
    en: 'A channel of the invoice does not exist',
  },
  'invoice.days': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '请选择最多 {days} 天，且开始日期不晚于结束日期',
    en: 'Choose at most {days} days, the first one not after the last',
  },
  'invoice.fetch': {
    status: 502,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '无法从供应商读取账单：{reason}',
    en: 'The vendor’s reports could not be read: {reason}',
  },
} as const satisfies ErrorRows
