import { asCount, asPage, asText, searchReader } from '../../ui/list/search.ts'

export const parseAuditSearch = searchReader({
  resource: asText,
  resource_id: asText,
  action: asText,
  actor: asCount,
  start: asCount,
  end: asCount,
  open: asCount,
  page: asPage,
})
export type AuditSearch = ReturnType<typeof parseAuditSearch>
