import { LogType } from '@tollgate/contracts/enums'
import { describeRequestFailure } from '@tollgate/contracts/failures/request-failures'
import type { Log } from '@tollgate/contracts/resources/logs'
import type { Explanation } from '@tollgate/contracts/relay/usage-event'
import type { Language } from '@tollgate/http/language'
import type { LogRow } from '@tollgate/db/queries/logs/logs'

/** A log entry as administrators see it; what we said of a failed request is in the reader's language, where one is given. */
export function toLog(row: LogRow, language?: Language): Log {
  return {
    id: row.id,
    user_id: row.user_id,
    created_at: row.created_at,
    type: row.type,
    content: row.type === LogType.error && language !== undefined ? describeRequestFailure(row.content, language) : row.content,
    username: row.username,
    token_name: row.token_name,
    model_name: row.model_name,
    quota: row.quota,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    use_time: row.use_time,
    is_stream: row.is_stream,
    channel: row.channel_id,
    channel_name: row.channel_name ?? '',
    token_id: row.token_id,
    group: row.group,
    other: row.other,
    request_id: row.request_id,
    state: row.state,
  }
}

/** Keys of `other` that reveal a channel or its vendor. */
const ADMINS_ONLY = ['admin_info', 'channel_id', 'channel_name', 'channel_type', 'is_model_mapped', 'upstream_model_name']

/** The entry as its user sees it, without anything that reveals the channel. */
export function toOwnLog(row: LogRow, language?: Language): Log {
  return { ...toLog(row, language), channel: 0, channel_name: '', other: withoutAdminKeys(row.other) }
}

function withoutAdminKeys(other: string): string {
  if (other === '') return ''
  try {
    const parsed: unknown = JSON.parse(other)
    if (typeof parsed !== 'object' || parsed === null) return ''
    return JSON.stringify(Object.fromEntries(Object.entries(parsed).filter(([key]) => !ADMINS_ONLY.includes(key))))
  } catch {
    // Imported text that cannot be cleaned is hidden from its user.
    return ''
  }
}

/** An explanation without channels, upstream texts and everything that distinguishes them. */
export function toOwnExplanation(explanation: Explanation): Explanation {
  return {
    ...explanation,
    attempts: explanation.attempts.map(({ started_ms, first_byte_ms, ended_ms, outcome, retry }) => ({
      channel_id: 0,
      channel_name: '',
      channel_type: 0,
      upstream_model: '',
      started_ms,
      ended_ms,
      outcome,
      ...(first_byte_ms === undefined ? {} : { first_byte_ms }),
      ...(retry === undefined ? {} : { retry }),
    })),
    candidates: [],
    candidates_cut: 0,
    choice: undefined,
    raw_usage: null,
  }
}
