import type { CatalogueEntry } from '@tollgate/providers/catalogue'
import type { PickOption } from '../../../ui/form/pick-list.ts'

const SECTIONS = {
  common: [1, 14, 24, 43, 20, 48],
  cloud: [3, 33, 41, 39, 40, 45],
  self: [4, 47, 8, 58],
  media: [2, 5, 36, 50, 51, 52, 54, 55, 56],
} as const satisfies Record<string, readonly number[]>
export type TypeSection = keyof typeof SECTIONS | 'other' | 'unserved'

type Texts = { readonly section: (section: TypeSection) => string; readonly unserved: string; readonly language: 'zh' | 'en' }

/** Channel types to choose from, by kind; those that cannot serve requests yet come last and say so. */
export function typeOptions(types: readonly CatalogueEntry[], { section, unserved, language }: Texts): readonly PickOption[] {
  return types
    .map((entry) => ({ entry, kind: sectionOf(entry) }))
    .toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || rankOf(a.entry) - rankOf(b.entry))
    .map(({ entry: { type, name, isSupported }, kind }) => ({
      value: String(type),
      label: name[language],
      section: section(kind),
      ...(isSupported ? {} : { note: { tone: 'grey', text: unserved } as const }),
    }))
}

const ORDER: readonly TypeSection[] = ['common', 'cloud', 'self', 'media', 'other', 'unserved']

function sectionOf({ type, isSupported }: CatalogueEntry): TypeSection {
  if (!isSupported) return 'unserved'
  return ORDER.find((name) => name in SECTIONS && numbersOf(name).includes(type)) ?? 'other'
}

/** In a section by its own order; elsewhere by number. */
function rankOf(entry: CatalogueEntry): number {
  const at = numbersOf(sectionOf(entry)).indexOf(entry.type)
  return at === -1 ? entry.type : at
}

function numbersOf(section: TypeSection): readonly number[] {
  return section === 'other' || section === 'unserved' ? [] : SECTIONS[section]
}
