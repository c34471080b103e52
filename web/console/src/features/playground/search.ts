import { searchReader } from '../../ui/list/search.ts'

export const TABS = ['chat', 'compare', 'images', 'speech', 'transcription'] as const
export type Tab = (typeof TABS)[number]

/** Reads the address of the playground. */
export const parsePlaygroundSearch = searchReader({ tab: (value: unknown): Tab | undefined => TABS.find((tab) => tab === value) })
export type PlaygroundSearch = ReturnType<typeof parsePlaygroundSearch>
