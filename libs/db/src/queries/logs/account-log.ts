import type { LogType } from '@tollgate/contracts/enums'
import { HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import type { Tx } from '../../connect.ts'
import { addUsageHours, insertLogs } from '../ledger/posting.ts'

export type AccountLogEntry = {
  /** Top-ups (1), administrators' changes (3) and bonuses or refunds (4). Requests are logged by posting. */
  readonly type: typeof LogType.topUp | typeof LogType.admin | typeof LogType.system
  readonly user_id: number
  readonly username: string
  /** Text for the user, in the words that existing consoles show. */
  readonly content: string
  readonly now: UnixSeconds
}

/** Appends a log row that is not a request, and counts it in the hour's logged rows, in the transaction of its cause. */
export async function appendAccountLog(tx: Tx, { type, user_id, username, content, now }: AccountLogEntry): Promise<void> {
  const key = { user_id, token_id: 0, channel_id: 0, model_name: '', group: '', token_name: '', type }
  const none = { quota: 0, prompt_tokens: 0, completion_tokens: 0 }
  await insertLogs(tx, [
    {
      ...key,
      ...none,
      created_at: now,
      username,
      use_time: 0,
      is_stream: false,
      content,
      other: '',
      request_id: '',
      state: '',
      usage: null,
      quote: null,
      explanation: null,
    },
  ])
  await addUsageHours(tx, [
    { ...key, ...none, hour: now - (now % HOUR_SECONDS), requests: 0, token_quota: 0, use_time_ms: 0, logged_requests: 1, logged_quota: 0 },
  ])
}
