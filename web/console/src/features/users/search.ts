import { asPage, asText, searchReader } from '../../ui/list/search.ts'

export const parseUserSearch = searchReader({ keyword: asText, group: asText, page: asPage })
export type UserSearch = ReturnType<typeof parseUserSearch>
