import { asText, searchReader } from '../../ui/list/search.ts'
import { TABS, type Tab } from './tabs.ts'

export const parseSettingsSearch = searchReader({
  tab: (raw): Tab | undefined => TABS.find((tab) => tab === raw),
  prices: asText,
  keyword: asText,
  /** A tool of the prices that is open at first. */
  tool: (raw): 'catalogue' | undefined => (raw === 'catalogue' ? raw : undefined),
})
export type SettingsSearch = ReturnType<typeof parseSettingsSearch>
