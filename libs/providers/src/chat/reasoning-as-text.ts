import type { ModelEvent } from './events.ts'
import type { EventTransform } from './translate.ts'

/**
 * Channel setting `thinking_to_content`: the reasoning becomes the beginning of the text, between `<think>` and `</think>`, for
 * clients that know no reasoning field.
 */
export function reasoningAsText(): EventTransform {
  let state: 'before' | 'thinking' | 'after' = 'before'
  const leave = (): ModelEvent[] => {
    if (state !== 'thinking') return []
    state = 'after'
    return [{ kind: 'text', text: '\n</think>\n' }]
  }
  return (event) => {
    switch (event.kind) {
      case 'reasoning': {
        const isFirst = state !== 'thinking'
        state = 'thinking'
        return [{ kind: 'text', text: isFirst ? `<think>\n${event.text}` : event.text }]
      }
      case 'reasoning-signature':
      case 'redacted-reasoning':
        return []
      case 'start':
      case 'usage':
      case 'block-break':
        return [event]
      default:
        return [...leave(), event]
    }
  }
}
