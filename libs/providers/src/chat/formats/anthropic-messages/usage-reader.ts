import type { CountInto } from '@tollgate/contracts/pricing/character-counts'
import type { UsageReaderInput } from '../../codec.ts'
import { MarkerUsageReader, repairWarnings, type EventAction, type Replacement } from '../../marker-usage-reader.ts'
import type { AnswerStream } from '../../stream.ts'
import { parseJsonObject, type JsonObject } from '../../../json.ts'
import { EventRepair } from './event-repair.ts'
import { LargeEvent } from './large-event.ts'
import { referableIn } from './referable.ts'
import { MessageStreamFacts } from './stream-facts.ts'

/**
 * Reads a Messages stream on its way to a client of the same format. Bytes pass unchanged, pings included, except `message_stop`, which
 * is sent after settlement, and an error object, which the caller renders.
 */
export function createUsageReader(input: UsageReaderInput): AnswerStream {
  return new UsageReader(input.count)
}

const STOP_EVENT = Buffer.from('event: message_stop\ndata: {"type":"message_stop"}\n\n')
const ACTIONS = { content: 'pass', failed: 'hide', stop: 'done' } as const

class UsageReader extends MarkerUsageReader {
  readonly facts: MessageStreamFacts
  readonly #repair = new EventRepair()
  #isMarkerRight = true

  constructor(count: CountInto) {
    super(STOP_EVENT)
    this.facts = new MessageStreamFacts(count)
  }

  /** Upstream reported its usage in `message_delta`, so only the end marker is missing. */
  closing(): Buffer {
    return this.#isMarkerRight ? this.marker : STOP_EVENT
  }

  get answer(): JsonObject | undefined {
    return referableIn({ id: this.facts.id, container: { id: this.facts.container_id } })
  }

  get warnings(): readonly string[] {
    return repairWarnings(this.#repair.done)
  }

  protected readEvent(data: string, name: string | undefined): EventAction | Replacement {
    const event = parseJsonObject(data)
    if (event === undefined) {
      this.facts.unreadable += 1
      return 'pass'
    }
    const action = ACTIONS[this.facts.readEvent(event)]
    if (action === 'hide') return action
    const repaired = this.#repair.repair(event, name)
    this.#isMarkerRight = repaired === undefined
    if (repaired === undefined || action === 'done') return action
    const { event: named, data: right } = repaired
    return { ...(named === undefined ? {} : { event: named }), data: right === undefined ? data : JSON.stringify(right) }
  }

  protected override skipRepair(): void {
    this.#repair.stop()
  }

  protected createLargeEventReader(head: Buffer): LargeEvent {
    return new LargeEvent(head, this.facts)
  }
}
