import type { AppError } from '@tollgate/contracts/app-error'

/** The channel and key that keep the state a request refers to, and the error if they are gone. */
export type Bound = { readonly channel_id: number; readonly key_id: string; readonly refusal: AppError }
