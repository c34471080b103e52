import type { LucideIcon } from 'lucide-react'

export type PaletteItem = {
  readonly id: string
  readonly label: string
  readonly detail?: string
  readonly icon: LucideIcon
  readonly run: () => void
}
export type PaletteGroup = { readonly label: string; readonly items: readonly PaletteItem[] }

/** Every word of the query occurs in the label or its detail, in any order. Without a query everything stays. */
export function narrow(groups: readonly PaletteGroup[], query: string): readonly PaletteGroup[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const fits = (item: PaletteItem): boolean => words.every((word) => `${item.label} ${item.detail ?? ''}`.toLowerCase().includes(word))
  return groups.map((group) => ({ ...group, items: group.items.filter(fits) })).filter((group) => group.items.length > 0)
}

/** The next index for an arrow, Home or End key; undefined for every other key. Arrows go round. */
export function moved(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (from + 1) % count
  if (key === 'ArrowUp') return (from - 1 + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}
