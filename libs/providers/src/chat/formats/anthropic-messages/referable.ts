import { objectAt, textAt, type JsonObject } from '../../../json.ts'

/** The parts of an answer to which later requests can refer, in the form of a kept one: its id, and the container as its item. */
export function referableIn(message: unknown): JsonObject | undefined {
  const id = textAt(message, 'id')
  const container = textAt(objectAt(message, 'container'), 'id')
  return id === undefined ? undefined : { id, output: container === undefined ? [] : [{ id: container }] }
}
