import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Quota, UnixSeconds } from '../units.ts'
import { QueryInt, QueryText } from '../common-schemas.ts'

export const UsageDatum = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  model_name: z.string(),
  /** Start of the hour, Unix seconds. */
  created_at: UnixSeconds,
  token_used: z.int(),
  count: z.int(),
  quota: Quota,
})
export type UsageDatum = z.infer<typeof UsageDatum>

const range = { start_timestamp: QueryInt, end_timestamp: QueryInt, default_time: QueryText }
const UsageData = z.array(UsageDatum)

export const dashboard = {
  list: endpoint({
    method: 'GET',
    path: '/api/data/',
    access: 'admin',
    summary: 'Usage by model and hour; with username only of that user',
    query: z.object({ ...range, username: QueryText }),
    data: UsageData,
  }),
  listOwn: endpoint({
    method: 'GET',
    path: '/api/data/self',
    access: 'user',
    summary: 'Own usage, at most 30 days',
    query: z.object(range),
    data: UsageData,
  }),
}
