import { unitAt } from '../text-unit.ts'

/** Whether a speech model charges by the character: https://developers.openai.com/api/docs/models/tts-1 */
export function isPricedByCharacter(model: string): boolean {
  return model.startsWith('tts')
}

/** Charged characters of a text: its code points. */
export function charactersOf(text: string): number {
  let pairs = 0
  for (let at = 0; at + 1 < text.length; at += 1) {
    if ((unitAt(text, at) & 0xfc00) === 0xd800 && (unitAt(text, at + 1) & 0xfc00) === 0xdc00) pairs += 1
  }
  return text.length - pairs
}
