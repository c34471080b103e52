const FINAL_SIGMA = 0x3c2
const SIGMA = 0x3c3
const DOTTED_I = 0x130
const I = 0x69

/** UTF-16 unit → case-folded unit. Both lower-case sigmas fold to one, and the Turkish İ to i. */
export const foldedUnits: Uint16Array = Uint16Array.from({ length: 0x10000 }, (_, unit) => {
  if (unit === FINAL_SIGMA) return SIGMA
  if (unit === DOTTED_I) return I
  const lower = String.fromCharCode(unit).toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : unit
})

/** True if a lower-case word contains letters of several units, which unit-wise folding cannot match. */
export function needsFullLowerCase(word: string): boolean {
  return word.includes('i\u0307') || [...word].some((letter) => letter.length > 1 && letter.toUpperCase() !== letter)
}
