import type { Tone } from '@tollgate/domain/display/tone'

/** One entry of a list to pick from. */
export type PickOption = {
  readonly value: string
  /** The text shown instead of the value. */
  readonly label?: string
  /** Entries of one section stand together under its name. */
  readonly section?: string
  /** A mark at the end of the line. */
  readonly note?: { readonly tone: Tone; readonly text: string } | undefined
}

export const toOption = (option: string | PickOption): PickOption => (typeof option === 'string' ? { value: option } : option)

export type PickRow = { readonly kind: 'section'; readonly name: string } | { readonly kind: 'option'; readonly option: PickOption }

/** The lines of a list: options that match, each section under its name, in the order in which sections first occur. */
export function pickRows(options: readonly PickOption[], search: string): readonly PickRow[] {
  const texts = new Map(options.map((option) => [[option.value, option.label, option.section].join(' '), option]))
  const bySection = Map.groupBy(
    matching([...texts.keys()], search).flatMap((text) => texts.get(text) ?? []),
    ({ section }) => section ?? '',
  )
  return [...bySection].flatMap(([name, members]) => [
    ...(name === '' ? [] : [{ kind: 'section', name } as const]),
    ...members.map((option) => ({ kind: 'option', option }) as const),
  ])
}

/** Entries of a long list that a search leaves: every word must occur, in any order, in any case. */
export function matching(names: readonly string[], search: string): readonly string[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return names
  return names.filter((name) => {
    const lower = name.toLowerCase()
    return words.every((word) => lower.includes(word))
  })
}

/** A comma-separated list as the API has it, without blanks and repeats. */
export function fromCommaList(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),
  ]
}
