import { z } from 'zod'
import { BudgetRule } from '../pricing/budgets.ts'
import { Limits } from './limits.ts'
import { TASK_FAMILIES, TaskRecord, TaskSubmission } from '../tasks/tasks.ts'
import { Quota, UnixSeconds } from '../units.ts'

/** Calls of the relay to the control plane's internal port. They are signed; the relay sends the SHA-256 of a key, never the key. */

/** Everything `identify` needs, cached in Redis as `tok:<key_hash>`. Reserve compares the two `auth` numbers. */
export const TokenRecord = z.object({
  token_id: z.int(),
  user_id: z.int(),
  shard: z.int().nonnegative(),
  name: z.string(),
  status: z.int(),
  /** −1: never. */
  expired_time: UnixSeconds,
  is_unlimited: z.boolean(),
  /** Empty: the user's group. */
  group: z.string(),
  /** null: no limit; an empty list allows nothing. */
  model_limits: z.array(z.string()).nullable(),
  /** Addresses and CIDR ranges; empty: any. */
  allow_ips: z.array(z.string()),
  token_auth: z.int(),
  user_auth: z.int(),
  username: z.string(),
  user_status: z.int(),
  role: z.int(),
  user_group: z.string(),
  accept_unset_model_ratio_model: z.boolean(),
  /** Limits of this token, and of its user over all tokens; absent in records of earlier versions. */
  limits: Limits.nullish(),
  user_limits: Limits.nullish(),
  /** Present and true: a token of the group `auto` moves on to its next group when one cannot serve a request. */
  cross_group_retry: z.boolean().optional(),
  /** Models that answer in place of the requested one, before the chains of the options; empty: none. Absent: the options' chains. */
  fallback_models: z.array(z.string()).optional(),
  /** Present and true: its prompts and answers may be in traces. */
  telemetry_content: z.boolean().optional(),
  /** Present and true: its requests and answers are hashed for their receipts. */
  receipt_hashes: z.boolean().optional(),
  /** Budgets of this token and of its user; absent: none. */
  budgets: z.array(BudgetRule).optional(),
})
export type TokenRecord = z.infer<typeof TokenRecord>

export const INTERNAL_PATHS = {
  /** POST {key_hashes: string[]} → {records: (TokenRecord | null)[]}; caches the found records in `tok:`. At most 100. */
  tokenLookup: '/internal/tokens/lookup',
  /** POST {pairs: {user_id, token_id}[]} → {loaded: number}; loads wallets and tokens that are missing in Redis. At most 100. */
  ledgerLoad: '/internal/ledger/load',
  /** POST {user_id, token_id} → {user, token}: what failed tasks gave back to each. */
  refunds: '/internal/accounts/refunds',
  /** POST TaskCreateRequest → {}; a copy of what the usage event carries, so that the client can ask for its task at once. */
  taskCreate: '/internal/tasks/create',
  /** POST {task_ids, user_id?, family?} → {tasks: TaskRecord[]} in no order; without a user, of any. At most 100. */
  taskFind: '/internal/tasks/find',
  /** POST TaskListRequest → {tasks, has_more}; of one user, without removed ones. `tasks` null: `after` is none of them. */
  taskList: '/internal/tasks/list',
  /** POST {task_id, user_id} → {removed}; false: the task is open, unknown or was removed before. */
  taskRemove: '/internal/tasks/remove',
  /** POST {task_ids} → {}; makes open tasks due at once. At most 100. */
  taskWake: '/internal/tasks/wake',
} as const

export const TokenLookupRequest = z.object({ key_hashes: z.array(z.string().length(64)).min(1).max(100) })
export const TokenLookupAnswer = z.object({ records: z.array(TokenRecord.nullable()) })
export const LedgerLoadRequest = z.object({
  pairs: z
    .array(z.object({ user_id: z.int(), token_id: z.int() }))
    .min(1)
    .max(100),
})
export const RefundsRequest = z.object({ user_id: z.int(), token_id: z.int() })
export const RefundsAnswer = z.object({ user: Quota, token: Quota })
export type RefundsAnswer = z.infer<typeof RefundsAnswer>
export const LedgerLoadAnswer = z.object({ loaded: z.int() })

export const TaskCreateRequest = z.object({
  request_id: z.string().max(80),
  user_id: z.int(),
  token_id: z.int(),
  channel_id: z.int(),
  model: z.string().max(200),
  task: TaskSubmission,
})
export type TaskCreateRequest = z.infer<typeof TaskCreateRequest>
const TaskIds = z.array(z.string().max(80)).min(1).max(100)
export const TaskFindRequest = z.object({ task_ids: TaskIds, user_id: z.int().optional(), family: z.enum(TASK_FAMILIES).optional() })
export type TaskFindRequest = z.infer<typeof TaskFindRequest>
export const TaskFindAnswer = z.object({ tasks: z.array(TaskRecord) })
export const TaskListRequest = z.object({
  user_id: z.int(),
  family: z.enum(TASK_FAMILIES),
  after: z.string().max(80).optional(),
  limit: z.int().min(1).max(100),
  order: z.enum(['asc', 'desc']),
})
export type TaskListRequest = z.infer<typeof TaskListRequest>
export const TaskListAnswer = z.object({ tasks: z.array(TaskRecord).nullable(), has_more: z.boolean() })
export type TaskListAnswer = z.infer<typeof TaskListAnswer>
export const TaskRemoveRequest = z.object({ task_id: z.string().max(80), user_id: z.int() })
export type TaskRemoveRequest = z.infer<typeof TaskRemoveRequest>
export const TaskRemoveAnswer = z.object({ removed: z.boolean() })
export const TaskWakeRequest = z.object({ task_ids: TaskIds })
export const NothingAnswer = z.object({})

/** The signature header: `v1:<unix>:<nonce>:<hmac-sha256 hex over method, path, unix, nonce, sha256(body)>`. */
export const INTERNAL_AUTH_HEADER = 'X-Internal-Auth'
