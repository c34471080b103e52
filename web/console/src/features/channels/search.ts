import { asPage, asText, searchReader } from '../../ui/list/search.ts'

/** Reads the address of the channel pages; `tag` is the tag whose drawer is open. Tag mode and the order by id stay in local storage. */
export const parseChannelSearch = searchReader({ keyword: asText, group: asText, model: asText, tag: asText, page: asPage })
export type ChannelSearch = ReturnType<typeof parseChannelSearch>
