/** The entries of `after` that differ from those of `before`: what a save sends. */
export function changesOf<Body extends object>(before: Body, after: Body): Partial<Body> {
  const old = new Map(Object.entries(before))
  // A part of `after`, entry by entry.
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name))),
  ) as Partial<Body>
}
