import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest work at a time of an answer that is made while others wait. */
const SLICE_MS = 8

/** Makes something of each item, in slices; other calls get their turn after each slice. */
export async function* inSlices<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item) => Made,
  now: () => number = () => performance.now(),
): AsyncGenerator<readonly Made[]> {
  let made: Made[] = []
  let end = now() + SLICE_MS
  for (const item of items) {
    made.push(make(item))
    if (now() < end) continue
    yield made
    await nextTurn()
    made = []
    end = now() + SLICE_MS
  }
  if (made.length > 0) yield made
}
