import { asText, searchReader } from '../../ui/list/search.ts'
import { TABS, type Tab } from './tabs.ts'

export const parseSettingsSearch = searchReader({
  tab: (raw): Tab | undefined => TABS.find((tab) => tab === raw),
  prices: asText,
  keyword: asText,
})
export type SettingsSearch = ReturnType<typeof parseSettingsSearch>
