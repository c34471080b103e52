/** True if a caller who sent this If-None-Match has the answer with the ETag already. */
export function hasTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const known = ifNoneMatch.split(',').map((part) => part.trim())
  return known.includes(tag) || known.includes('*')
}
