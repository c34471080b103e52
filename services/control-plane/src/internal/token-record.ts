import { TokenStatus } from '@tollgate/contracts/enums'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { toList } from '@tollgate/db/queries/channels/abilities'
import type { TokenOwnerRow } from '@tollgate/db/queries/tokens/tokens'
import { acceptsUnpriced } from '../accepts-unpriced.ts'

/**
 * A token row as relays read it. A deleted token, or a token of a deleted user, is disabled: the record stays in Redis after the row is
 * deleted.
 */
export function toTokenRecord(row: TokenOwnerRow): TokenRecord {
  const isRemoved = row.token_deleted_at !== null || row.user_deleted_at !== null
  return {
    token_id: row.token_id,
    user_id: row.user_id,
    shard: row.shard,
    name: row.name,
    status: isRemoved ? TokenStatus.disabled : row.status,
    expired_time: row.expired_time,
    is_unlimited: row.unlimited_quota,
    group: row.group,
    model_limits: row.model_limits_enabled ? toList(row.model_limits) : null,
    allow_ips: row.allow_ips
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    token_auth: row.token_auth,
    user_auth: row.user_auth,
    username: row.username,
    user_status: row.user_status,
    role: row.role,
    user_group: row.user_group,
    accept_unset_model_ratio_model: acceptsUnpriced(row.setting),
    limits: row.limits,
    user_limits: row.user_limits,
    ...(row.fallback_models === null ? {} : { fallback_models: toList(row.fallback_models) }),
    ...(row.telemetry_content === true ? { telemetry_content: true } : {}),
    ...(row.receipt_hashes === true ? { receipt_hashes: true } : {}),
    ...(row.budgets === null ? {} : { budgets: row.budgets }),
    ...(row.cross_group_retry ? { cross_group_retry: true } : {}),
  }
}
