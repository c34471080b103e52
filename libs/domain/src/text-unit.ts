const { charCodeAt } = String.prototype

/**
 * `text.charCodeAt(at)` where it is asked for each character of long texts. Written as a method it is looked up anew each time: strings
 * come in more shapes (one or two bytes wide, whole, cut, joined) than V8 tells apart at one place, which makes such loops four times
 * slower in a process that has seen them all (docs/performance.md).
 */
export const unitAt = (text: string, at: number): number => charCodeAt.call(text, at)
