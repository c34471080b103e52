import type { ErrorRows } from './row.ts'

/** Refusals by a budget. Their texts name its owner and window in either language. */
export const budgetsErrors = {
  'budget.reached': {
    status: 403,
    retry: 'never',
    blame: 'account',
    type: 'new_api_error',
    api_code: 'budget_exceeded',
    zh: '{of}的{window}预算为 {amount}，还剩 {have}，本次请求最多可能需要 {need}；{resets} 重新计算',
    en: 'The {window} budget of {of} is {amount}, of which {have} is left; this request may cost up to {need}. It starts again at {resets}',
  },
  'budget.reached-total': {
    status: 403,
    retry: 'never',
    blame: 'account',
    type: 'new_api_error',
    api_code: 'budget_exceeded',
    zh: '{of}的总预算为 {amount}，还剩 {have}，本次请求最多可能需要 {need}',
    en: 'The total budget of {of} is {amount}, of which {have} is left; this request may cost up to {need}',
  },
  'budget.restarting': {
    status: 429,
    retry: 'never',
    blame: 'account',
    type: 'new_api_error',
    api_code: 'budget_exceeded',
    zh: '{of}的{window}预算为 {amount}，还剩 {have}，本次请求最多可能需要 {need}；即将重新计算，请稍后再试',
    en: 'The {window} budget of {of} is {amount}, of which {have} is left; this request may cost up to {need}. It is about to start again: try again then',
  },
  'budget.held': {
    status: 429,
    retry: 'never',
    blame: 'account',
    type: 'new_api_error',
    api_code: 'quota_held',
    zh: '{of}的{window}预算为 {amount}，还剩 {have}，另有 {held} 被进行中的请求占用，本次请求最多可能需要 {need}',
    en: 'The {window} budget of {of} is {amount}, of which {have} is left, with {held} more held by running requests; this request may cost up to {need}',
  },
} as const satisfies ErrorRows

/** Refusals of changes to budgets. */
export const budgetChangesErrors = {
  'budgets.not-own': {
    status: 403,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '该预算由管理员设置，你不能更改',
    en: 'This budget was set by an administrator; you cannot change it',
  },
  'budgets.many': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '最多设置 {count} 个预算',
    en: 'At most {count} budgets can be set',
  },
  'budgets.window-taken': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    field: 'window',
    zh: '该周期已有预算，请修改它',
    en: 'There is a budget of this period already: change that one',
  },
  'budgets.start-day': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    field: 'start_day',
    zh: '一周的起始日为 1 至 7',
    en: 'A week begins on a day from 1 to 7',
  },
  'budgets.changed': {
    status: 409,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '该预算已被他人修改，请刷新后再试',
    en: 'Another administrator has changed this budget: reload it first',
  },
} as const satisfies ErrorRows
