/** What a search leaves of a long list: every word must occur, in any order, in any case. */
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
