/** The name of the entry for a model: its own, else the longest that ends in `*` and fits; undefined if none does. */
export function entryNameFor(entries: Readonly<Record<string, unknown>>, model: string): string | undefined {
  if (Object.hasOwn(entries, model)) return model
  let found: string | undefined
  for (const name of Object.keys(entries))
    if (name.endsWith('*') && model.startsWith(name.slice(0, -1)) && name.length > (found?.length ?? 0)) found = name
  return found
}
