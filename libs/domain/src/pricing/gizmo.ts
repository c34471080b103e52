const FAMILIES = ['gpt-4-gizmo', 'gpt-4o-gizmo'] as const

/** The wildcard entry of a model's family (`gpt-4-gizmo-*`); undefined for other models and for the entry itself. */
export function wildcardOf(model: string): string | undefined {
  const family = FAMILIES.find((head) => model.startsWith(head))
  if (family === undefined) return undefined
  const wildcard = `${family}-*`
  return wildcard === model ? undefined : wildcard
}
