import { asCount, asPage, asText, searchReader } from '../../ui/list/search.ts'

/** Reads the address of the page; `edit` is the code whose drawer is open. */
export const parseCodeSearch = searchReader({
  keyword: asText,
  page: asPage,
  edit: (value) => (value === 'new' ? 'new' : asCount(value)),
})
export type CodeSearch = ReturnType<typeof parseCodeSearch>
