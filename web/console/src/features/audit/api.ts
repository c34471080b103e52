import { queryOptions } from '@tanstack/react-query'
import { audit, type AuditFilter } from '@tollgate/contracts/resources/audit'
import { call, keyOf } from '../../lib/api.ts'

type AuditQuery = AuditFilter & { readonly p: number; readonly page_size: number }

export const auditPage = (query: AuditQuery) =>
  queryOptions({ queryKey: keyOf(audit.list, query), queryFn: ({ signal }) => call(audit.list, { query, signal }) })
