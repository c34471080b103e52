import type { ErrorRows } from './row.ts'

export const importsErrors = {
  'import.running': {
    status: 400,
    retry: 'same',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '已有导入正在进行，请等待其结束',
    en: 'Another import is running: wait for its end',
  },
  'import.in-use': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '本系统已有用户或渠道；请选择同名账户的处理方式（合并或改名）后再导入',
    en: 'This installation has users or channels already: choose what happens to names that clash (join or rename)',
  },
  'import.other-source': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '名为 {name} 的导入来自另一个数据库，请换一个名称',
    en: 'The import {name} is of another database: choose another name',
  },
  'import.never': {
    status: 400,
    retry: 'never',
    blame: 'caller',
    type: 'invalid_request_error',
    zh: '名为 {name} 的导入尚未进行过',
    en: 'There is no earlier import with the name {name}',
  },
} as const satisfies ErrorRows
