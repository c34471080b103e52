import { AppError } from '@tollgate/contracts/app-error'

/** The row of the error table. */
export const reasonOf = (cause: unknown): AppError['code'] => (cause instanceof AppError ? cause.code : 'internal')
