import { objectAt, textAt, type JsonObject } from '../../../json.ts'

/** What later requests can refer to in an answer, in the form of one that is kept: its id, and the container as its item. */
export function referableIn(message: unknown): JsonObject | undefined {
  const id = textAt(message, 'id')
  const container = textAt(objectAt(message, 'container'), 'id')
  return id === undefined ? undefined : { id, output: container === undefined ? [] : [{ id: container }] }
}
