import { asText, searchReader } from '../../ui/list/search.ts'

export const parseSettingsSearch = searchReader({ keyword: asText })
export type SettingsSearch = ReturnType<typeof parseSettingsSearch>
