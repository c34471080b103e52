import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { wildcardOf } from '../pricing/gizmo.ts'

/** True if a token may use a model. A null list allows every model, an empty list none; a wildcard entry allows its family. */
export function isModelAllowed(record: Pick<TokenRecord, 'model_limits'>, model: string): boolean {
  if (record.model_limits === null) return true
  if (record.model_limits.includes(model)) return true
  const wildcard = wildcardOf(model)
  return wildcard !== undefined && record.model_limits.includes(wildcard)
}
