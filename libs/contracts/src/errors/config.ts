import type { ErrorRows } from './row.ts'

export const configErrors = {
  'config.changed-meanwhile': {
    status: 409,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    field: 'seen',
    zh: '生成计划之后有变化，请重新生成计划：{records}',
    en: 'Changed since the plan was made; make a new plan: {records}',
  },
  'config.problems': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    field: 'files',
    zh: '配置文件有误：{file}：{problem}',
    en: 'The files cannot be applied: {file}: {problem}',
  },
  'config.duplicate-channels': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '渠道名称必须唯一才能用文件管理：{names}',
    en: 'Files identify channels by name, so each name must be unique: {names}',
  },
  'config.duplicate-names': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '名称必须唯一才能用文件管理：{names}',
    en: 'Files identify this by name, so the name must be unique: {names}',
  },
  'config.unknown-record': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '不存在：{record}',
    en: 'It does not exist: {record}',
  },
  'config.organisation-used': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '组织 {name} 仍有余额，请在控制台中删除',
    en: 'The organisation {name} still has a balance: delete it in the console',
  },
} as const satisfies ErrorRows
