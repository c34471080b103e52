const FINAL_SIGMA = 0x3c2
const SIGMA = 0x3c3
const DOTTED_I = 0x130
const I = 0x69

/** UTF-16 unit → unit without case. Both lower-case sigmas are one letter, and the Turkish İ is an i. */
export const foldedUnits: Uint16Array = Uint16Array.from({ length: 0x10000 }, (_, unit) => {
  if (unit === FINAL_SIGMA) return SIGMA
  if (unit === DOTTED_I) return I
  const lower = String.fromCharCode(unit).toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : unit
})

/** Whether a word in lower case is found only in a text that was put in lower case as a whole: it has letters that take more than a unit. */
export function needsWholeFold(word: string): boolean {
  return word.includes('i\u0307') || [...word].some((letter) => letter.length > 1 && letter.toUpperCase() !== letter)
}
