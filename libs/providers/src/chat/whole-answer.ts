import type { Usage } from '@tollgate/contracts/pricing/quote'
import { toRawUsage, type Finish } from './answer-facts.ts'
import type { ReadAnswer } from './codec.ts'
import { vendorTexts, type ModelEvent } from './events.ts'

/** Usage, finish and texts of a whole answer, from the events that its decoder returned. Texts are referenced, not copied. */
export function readEvents(events: readonly ModelEvent[]): ReadAnswer {
  const texts: string[] = []
  const tool_texts: string[] = []
  let usage: Usage | undefined
  let raw_usage: string | undefined
  let finish: Finish | undefined
  let unknown_end: string | undefined
  for (const event of events) {
    if (event.kind === 'failed') return { kind: 'failed', failure: event.failure }
    if (event.kind === 'text' || event.kind === 'reasoning' || event.kind === 'refusal') texts.push(event.text)
    else if (event.kind === 'tool-call') tool_texts.push(event.name)
    else if (event.kind === 'tool-arguments') tool_texts.push(event.text)
    else if (event.kind === 'vendor-specific') tool_texts.push(...vendorTexts(event))
    else if (event.kind === 'finish') {
      finish ??= event.finish
      unknown_end ??= event.unknown
    } else if (event.kind === 'usage') {
      usage = event.usage
      raw_usage = toRawUsage(event.raw)
    }
  }
  return { kind: 'answer', texts, tool_texts, usage, raw_usage, finish, ...(unknown_end === undefined ? {} : { unknown_end }) }
}
