export { texts as common } from './en/common.ts'
export { texts as display } from './en/display.ts'
export { texts as errors } from './en/errors.ts'
export { texts as shell } from './en/shell.ts'
