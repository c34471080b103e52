import { createHash, createHmac } from 'node:crypto'
import type { Digests } from '@tollgate/providers/tasks/task-family'

/** The hashes that signed calls of task vendors need. */
export const digests: Digests = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  hmacSha256: (key, text) => createHmac('sha256', key).update(text).digest(),
}
