import { z } from 'zod'
import { PageQuery, pageOf, QueryInt, queryText } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { UnixSeconds } from '../units.ts'

/** Kinds of resources that entries are about. */
export const AUDIT_RESOURCES = [
  'channel',
  'option',
  'user',
  'token',
  'log',
  'ledger',
  'job',
  'payment',
  'redemption',
  'delivery',
  'budget',
  'receipt-key',
  'organisation',
  'member',
  'project',
  'scim-token',
  'scim-user',
  'scim-group',
  'import',
  'vendor-invoice',
  'webhook-endpoint',
  'status-incident',
  'config',
] as const
export type AuditResource = (typeof AUDIT_RESOURCES)[number]

/** One changed field. The values of a secret field are absent; long values are cut. */
export const AuditChange = z.object({ field: z.string(), before: z.string().optional(), after: z.string().optional() })
export type AuditChange = z.infer<typeof AuditChange>

export const AuditEntry = z.object({
  id: z.int(),
  created_at: UnixSeconds,
  /** 0: the system itself. */
  actor_id: z.int(),
  /** Name and role of the actor at that time. */
  actor_name: z.string(),
  actor_role: z.int(),
  ip: z.string(),
  /** A verb: create, update, delete, copy, verify. */
  action: z.string(),
  resource: z.enum(AUDIT_RESOURCES),
  /** The id of the record, or the key of the option; empty: the resource as a whole. */
  resource_id: z.string(),
  /** Present name of a channel or a user; empty: deleted, or something else. */
  resource_name: z.string(),
  changes: z.array(AuditChange),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const AuditPage = pageOf(AuditEntry)

/** Empty texts and zeros do not filter. */
const filter = {
  resource: queryText(32),
  resource_id: queryText(128),
  action: queryText(32),
  actor_id: QueryInt,
  start_timestamp: QueryInt,
  end_timestamp: QueryInt,
}
export const AuditFilter = z.object(filter)
export type AuditFilter = z.infer<typeof AuditFilter>

export const audit = {
  list: endpoint({
    method: 'GET',
    path: '/api/audit/',
    load: 'heavy',
    access: 'admin',
    summary: 'Audit log, newest first; an administrator sees channels, codes and own entries, root sees everything (ours)',
    query: z.object({ ...PageQuery.shape, ...filter }),
    data: AuditPage,
  }),
  listOwn: endpoint({
    method: 'GET',
    path: '/api/audit/self',
    load: 'heavy',
    access: 'user',
    right: 'audit.read',
    summary: 'Audit entries of the own actions, newest first (ours)',
    query: PageQuery,
    data: AuditPage,
  }),
}
