import { asCount, asPage, asText, searchReader } from '../../ui/list/search.ts'

/** Reads the address of the token page; `edit` is the token whose drawer is open. */
export const parseTokenSearch = searchReader({
  keyword: asText,
  token: asText,
  page: asPage,
  edit: (value) => (value === 'new' ? 'new' : asCount(value)),
})
export type TokenSearch = ReturnType<typeof parseTokenSearch>
