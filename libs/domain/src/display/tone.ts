/**
 * The hues a tag, bar or number may take. Hues are for meaning only; the console's theme gives each a light and a dark value.
 * The names are the specification's colours, so that a threshold table reads like the sentence it comes from.
 */
export const TONES = ['grey', 'green', 'lime', 'yellow', 'orange', 'red', 'blue'] as const
export type Tone = (typeof TONES)[number]
