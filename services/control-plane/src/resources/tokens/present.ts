import type { Sealer } from '@tollgate/config/sealing'
import type { Token } from '@tollgate/contracts/resources/tokens'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { TokenRow } from '@tollgate/db/queries/tokens/tokens'
import { maskedKey, openKey } from './key.ts'
import { shownStatus } from './policy.ts'

type View = { readonly sealer: Sealer; readonly now: UnixSeconds; /** Others than the owner look at it. */ readonly isMasked: boolean }

/** A token as its owner sees it, with the key. */
export function toToken(row: TokenRow, { sealer, now, isMasked }: View): Token {
  const remain_quota = row.granted - row.charged
  return {
    id: row.id,
    user_id: row.user_id,
    key: isMasked ? maskedKey(row, sealer).replace(/^sk-/, '') : openKey(row, sealer),
    status: shownStatus({ ...row, remain_quota }, now),
    name: row.name,
    created_time: row.created_time,
    accessed_time: row.accessed_time,
    expired_time: row.expired_time,
    remain_quota,
    unlimited_quota: row.unlimited_quota,
    model_limits_enabled: row.model_limits_enabled,
    model_limits: row.model_limits,
    allow_ips: row.allow_ips,
    used_quota: row.used_quota,
    group: row.group,
    limits: row.limits,
    cross_group_retry: row.cross_group_retry,
    fallback_models: row.fallback_models,
    telemetry_content: row.telemetry_content === true,
    receipt_hashes: row.receipt_hashes === true,
    DeletedAt: null,
  }
}
