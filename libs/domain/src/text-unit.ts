const { charCodeAt } = String.prototype

/**
 * `text.charCodeAt(at)` for loops over long texts. The method call is megamorphic in V8, because strings have many representations
 * (one- or two-byte, flat, sliced, concatenated); that makes such loops four times slower (docs/performance.md).
 */
export const unitAt = (text: string, at: number): number => charCodeAt.call(text, at)
