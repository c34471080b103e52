import { AppError } from '@tollgate/contracts/app-error'

/** Result of `work`; undefined if it refuses the request with an AppError. */
export function catchRefusal<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
