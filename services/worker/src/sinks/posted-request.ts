import { LogType } from '@tollgate/contracts/enums'
import type { PostedRequest } from '@tollgate/contracts/texts/posted-request'
import type { FedRow } from '@tollgate/db/queries/logs/request-feed'
import { dollarsOf } from '@tollgate/domain/pricing/format'
import { parseJsonObject } from '@tollgate/providers/json'

/** The part of a log row that a sink gets. */
export function toPostedRequest(row: FedRow, quota_per_unit: number): PostedRequest {
  const first_token_ms = parseJsonObject(row.other)?.['frt']
  return {
    v: 1,
    id: row.request_id,
    kind: kindOf(row),
    at: row.created_at,
    user_id: row.user_id,
    username: row.username,
    token_id: row.token_id,
    token_name: row.token_name,
    group: row.group,
    model: row.model_name,
    ...(row.asked_model === null ? {} : { asked_model: row.asked_model }),
    channel_id: row.channel_id,
    is_stream: row.is_stream,
    seconds: row.use_time,
    ...(typeof first_token_ms === 'number' && first_token_ms > 0 ? { first_token_ms } : {}),
    ...(row.client_status === null ? {} : { status: row.client_status }),
    ...(row.error_code === '' ? {} : { error_code: row.error_code }),
    ...(row.ended_by === null ? {} : { ended_by: row.ended_by }),
    attempts: row.attempts ?? 0,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    usage: row.usage,
    quota: row.quota,
    usd: dollarsOf(row.quota, quota_per_unit).toString(),
    ...(row.session === '' ? {} : { session: row.session }),
  }
}

function kindOf({ type, state, quota }: FedRow): PostedRequest['kind'] {
  if (type === LogType.error) return 'failed'
  if (state === 'late') return 'late'
  return quota < 0 ? 'refund' : 'charge'
}
