import { AppError } from '@tollgate/contracts/app-error'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { isModelAllowed } from '@tollgate/domain/access/model'

/** Refuses a model that the token's list leaves out. */
export function requireModel(record: Pick<TokenRecord, 'model_limits'>, model: string): void {
  if (isModelAllowed(record, model)) return
  throw record.model_limits?.length === 0 ? new AppError('access.no-model') : new AppError('access.model', { model })
}
