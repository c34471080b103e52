/** One of each list in turn, so that a long list leaves room for the others. */
export function inTurns<T>(lists: readonly (readonly T[])[], limit: number): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  const taken: T[] = []
  for (let round = 0; round < longest && taken.length < limit; round += 1)
    taken.push(...lists.flatMap((list) => list.slice(round, round + 1)))
  return taken.slice(0, limit)
}
