import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { BUDGET_SCOPES, BUDGET_WINDOWS } from '../pricing/budget-names.ts'
import { Millis, Quota, UnixSeconds } from '../units.ts'

/** Why a request is refused before its limits are asked, in the order in which a relay looks. */
export const LIMIT_OBSTACLES = [
  'user-disabled',
  'token-disabled',
  'token-expired',
  'group-disabled',
  'group-gone',
  'model-refused',
  'model-unknown',
  'no-channel',
  'prompt-too-long',
] as const
export type LimitObstacle = (typeof LIMIT_OBSTACLES)[number]

/** One limit that applies to the request, as it is now. */
export const CheckedLimit = z.object({
  of: z.enum(['user', 'token', 'group', 'model', 'channel']),
  /** Name of the group or model; `#id name` of the user, token or channel. */
  name: z.string(),
  /** `total` and `success` are the request windows of the options; the others are per minute or of open requests. */
  by: z.enum(['requests', 'tokens', 'concurrency', 'total', 'success']),
  limit: z.int(),
  used: z.int(),
  left: z.int(),
  /** 0: requests that are open now. */
  window_ms: Millis,
  passes: z.boolean(),
  /** Until the request fits; 0: now, or not known for open requests. */
  wait_ms: Millis,
})
export type CheckedLimit = z.infer<typeof CheckedLimit>

/** A budget that counts the request, as it is now. */
export const CheckedBudget = z.object({
  id: z.int(),
  scope: z.enum(BUDGET_SCOPES),
  window: z.enum(BUDGET_WINDOWS),
  amount: Quota,
  spent: Quota,
  held: Quota,
  /** When it starts again; 0: never. */
  end: UnixSeconds,
  /** Something is left, or it only warns. Whether that is enough for the request depends on its price. */
  passes: z.boolean(),
})
export type CheckedBudget = z.infer<typeof CheckedBudget>

export const LimitCheck = z.object({
  passes: z.boolean(),
  obstacle: z.enum(LIMIT_OBSTACLES).nullable(),
  /** The group whose channels and limits apply. */
  group: z.string(),
  /** Tokens that the request takes of limits on tokens. */
  tokens: z.int(),
  /** In the order in which a relay asks them; a full channel is passed over while another one is left. */
  limits: z.array(CheckedLimit),
  budgets: z.array(CheckedBudget),
})
export type LimitCheck = z.infer<typeof LimitCheck>

const Tokens = z.coerce.number().int().min(0).max(100_000_000)

export const LimitQuery = z.object({
  /** Name or id of a user. */
  user: z.string().trim().min(1).max(100),
  /** Name or id of one of the user's tokens; empty: a request without limits of a token. */
  token: z.string().trim().max(100).default(''),
  model: z.string().trim().min(1).max(200),
  /** Empty: the token's, else the user's. */
  group: z.string().trim().max(100).default(''),
  prompt_tokens: Tokens.default(0),
  /** Absent: option HoldOutputTokens. */
  max_tokens: Tokens.optional(),
})
export type LimitQuery = z.infer<typeof LimitQuery>

export const limits = {
  check: endpoint({
    method: 'GET',
    path: '/api/limits/check',
    access: 'admin',
    summary: 'Whether the limits would let a request pass now, and which would not; takes nothing from them (ours)',
    query: LimitQuery,
    data: LimitCheck,
  }),
}
