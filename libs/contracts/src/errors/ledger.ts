import type { ErrorRows } from './row.ts'

export const ledgerErrors = {
  'store.unavailable': {
    status: 503,
    retry: 'never',
    blame: 'us',
    type: 'new_api_error',
    api_code: 'store_unavailable',
    zh: '数据库暂不可用，请稍后再试',
    en: 'The database is unavailable, try again later',
  },
  'ledger.cold': {
    status: 503,
    retry: 'never',
    blame: 'us',
    type: 'new_api_error',
    api_code: 'ledger_cold',
    zh: '账户数据暂不可用，请稍后再试',
    en: 'The account could not be loaded, try again later',
  },
  'ledger.closed': {
    status: 503,
    retry: 'never',
    blame: 'us',
    type: 'new_api_error',
    api_code: 'ledger_closed',
    zh: '账本暂不可用，请稍后再试',
    en: 'The ledger is unavailable, try again later',
  },
  'ledger.unavailable': {
    status: 503,
    retry: 'never',
    blame: 'us',
    type: 'new_api_error',
    api_code: 'ledger_unavailable',
    zh: '账本响应超时，请稍后再试',
    en: 'The ledger did not answer in time, try again later',
  },
  'ledger.backlog': {
    status: 503,
    retry: 'never',
    blame: 'us',
    type: 'new_api_error',
    api_code: 'ledger_backlog',
    zh: '账本积压过多，请稍后再试',
    en: 'The ledger’s backlog is full, try again later',
  },
} as const satisfies ErrorRows
