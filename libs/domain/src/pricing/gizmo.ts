const FAMILIES = ['gpt-4-gizmo', 'gpt-4o-gizmo'] as const

/** The entry that stands for all names of a family (`gpt-4-gizmo-*`), when the name belongs to one and is not the entry itself. */
export function wildcardOf(model: string): string | undefined {
  const family = FAMILIES.find((head) => model.startsWith(head))
  if (family === undefined) return undefined
  const wildcard = `${family}-*`
  return wildcard === model ? undefined : wildcard
}
