import { z } from 'zod'
import { SeenRow } from '../values/seen-row.ts'
import { endpoint } from '../endpoint.ts'
import { Amount, Quota, UnixSeconds } from '../units.ts'
import { IdParams, PageQuery, pageOf, QueryText, textOf } from '../values/common-schemas.ts'

export const Redemption = z.object({
  id: z.int(),
  /** The administrator who created it. */
  user_id: z.int(),
  /** 32 lower-case hexadecimal digits. */
  key: z.string(),
  status: z.int(),
  name: z.string(),
  quota: Quota,
  created_time: UnixSeconds,
  redeemed_time: UnixSeconds,
  /** When it ends; 0: never. */
  expired_time: UnixSeconds,
  /** Used in requests only; 0 in answers. */
  count: z.int(),
  /** 0: not redeemed. */
  used_user_id: z.int(),
  DeletedAt: z.string().nullable(),
})
export type Redemption = z.infer<typeof Redemption>

export const NewRedemptions = z.object({
  name: textOf(200),
  quota: Amount.default(0),
  count: z.int().min(-1_000_000).max(1_000_000).default(0),
  /** Unix seconds; 0: never. */
  expired_time: z.int().default(0),
})
export type NewRedemptions = z.infer<typeof NewRedemptions>

/** With `?status_only=…` only `status` is read. */
export const RedemptionChange = z.object({
  id: z.int().default(0),
  name: z.string().max(200).optional(),
  quota: Amount.optional(),
  status: z.int().optional(),
  expired_time: z.int().optional(),
  was: SeenRow,
})
export type RedemptionChange = z.infer<typeof RedemptionChange>

const RedemptionPage = pageOf(Redemption)

export const redemptions = {
  list: endpoint({
    method: 'GET',
    path: '/api/redemption/',
    access: 'admin',
    summary: 'Codes, newest first',
    query: PageQuery,
    data: RedemptionPage,
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/redemption/search',
    access: 'admin',
    summary: 'Searches codes by start of the name, or by id',
    query: z.object({ ...PageQuery.shape, keyword: QueryText }),
    data: RedemptionPage,
  }),
  get: endpoint({ method: 'GET', path: '/api/redemption/{id}', access: 'admin', summary: 'One code', params: IdParams, data: Redemption }),
  create: endpoint({
    method: 'POST',
    path: '/api/redemption/',
    access: 'admin',
    summary: 'Creates codes, all or none',
    body: NewRedemptions,
    data: z.array(z.string()),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/redemption/',
    access: 'admin',
    summary: 'Updates a code, or with status_only its status',
    query: z.object({ status_only: QueryText }),
    body: RedemptionChange,
    data: Redemption,
  }),
  remove: endpoint({ method: 'DELETE', path: '/api/redemption/{id}', access: 'admin', summary: 'Deletes a code', params: IdParams }),
}
