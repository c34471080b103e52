/** Openings with which a comment of a field leaves out what the field is. */
const OPENING = /^\/\*\*[\s*]*(Of|By|What|Whether|The ones? that)(?=\s)/
const COMMENT = /\/\*\*(?:[^*]|\*(?!\/))*\*\/[ \t]*\n?(.*)/g
/** A member of a type, an object or a schema; not a method. */
const FIELD = /^\s*(?:readonly )?(?:[\w$]+|'[^']+'|\[[^\]]+\])\??\s*:/

export type Opening = { readonly line: number; readonly opening: string }

/** Comments of fields that begin with one of these words. */
export function openingsOfFields(source: string): Opening[] {
  return [...source.matchAll(COMMENT)].flatMap(({ 0: comment, 1: next = '', index }) => {
    const opening = OPENING.exec(comment)?.[1]
    if (opening === undefined || !FIELD.test(next)) return []
    return [{ line: source.slice(0, index).split('\n').length, opening }]
  })
}
