export { texts as common } from './zh/common.ts'
export { texts as display } from './zh/display.ts'
export { texts as errors } from './zh/errors.ts'
export { texts as shell } from './zh/shell.ts'
