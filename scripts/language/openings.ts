/** Openings with which a comment leaves out what the thing is. */
const OPENING = /^\/\*\*[\s*]*(Of|By|What|Whether|The ones? that)(?=\s)/
const COMMENT = /\/\*\*(?:[^*]|\*(?!\/))*\*\//g

export type Opening = { readonly line: number; readonly opening: string }

/** Doc comments that begin with one of these words. */
export function openingsOfComments(source: string): Opening[] {
  return [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const opening = OPENING.exec(comment)?.[1]
    return opening === undefined ? [] : [{ line: source.slice(0, index).split('\n').length, opening }]
  })
}
