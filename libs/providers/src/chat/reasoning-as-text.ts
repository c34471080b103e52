import type { ModelEvent } from './events.ts'
import type { EventTransform } from './translate.ts'

/**
 * Channel setting `thinking_to_content`: puts the reasoning before the text, between `<think>` and `</think>`, for clients without a
 * reasoning field.
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
