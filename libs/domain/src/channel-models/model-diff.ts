/** How the models of a channel differ from what upstream lists. */
export type ModelDiff = { readonly fresh: readonly string[]; readonly gone: readonly string[] }

/**
 * Compares by the names that are sent upstream: a model that the mapping renames is gone only if its target is. Models
 * of an upstream that lists nothing are never gone.
 */
export function modelDiff(models: readonly string[], listed: readonly string[], mapping: Readonly<Record<string, unknown>>): ModelDiff {
  const known = new Set(models)
  const offered = new Set(listed)
  const targets = new Set(models.map((model) => targetOf(model, mapping)))
  return {
    fresh: listed.filter((name) => !known.has(name) && !targets.has(name)),
    gone: listed.length === 0 ? [] : models.filter((model) => !isOffered(targetOf(model, mapping), offered)),
  }
}

/** Follows the mapping to its end; a circle ends where it began. */
function targetOf(model: string, mapping: Readonly<Record<string, unknown>>): string {
  const seen = new Set<string>()
  let name = model
  while (!seen.has(name)) {
    seen.add(name)
    const next = Object.hasOwn(mapping, name) ? mapping[name] : undefined
    if (typeof next !== 'string' || next === '') return name
    name = next
  }
  return name
}

/** Suffixes that choose how a model thinks, which vendors do not list. */
const THINKING = /-(?:thinking(?:-\d+)?|nothinking|minimal|low|medium|high|xhigh)$/

const isOffered = (name: string, offered: ReadonlySet<string>): boolean => offered.has(name) || offered.has(name.replace(THINKING, ''))
