import { asCount, asPage, asText, searchReader } from '../../ui/list/search.ts'

/** Reads the address of the user page; `open` is the user whose details are shown, `adjust` the one whose balance is changed. */
export const parseUserSearch = searchReader({ keyword: asText, group: asText, page: asPage, open: asCount, adjust: asCount })
export type UserSearch = ReturnType<typeof parseUserSearch>
