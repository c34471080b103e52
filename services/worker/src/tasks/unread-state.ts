import { createHash } from 'node:crypto'
import { TASK_FAILURES } from '@tollgate/contracts/failures/task-failures'
import { noteUnread, type DueTask } from '@tollgate/db/queries/tasks/tasks'
import type { TaskReport } from '@tollgate/providers/tasks/task-family'
import { addUnexpectedAnswers } from '@tollgate/redis/stores/unexpected-answers'
import type { Deps } from '../deps.ts'

type UnreadDeps = Pick<Deps, 'db' | 'redis' | 'now'> & { readonly log: Pick<Deps['log'], 'warn'> }

/** How long a vendor may say the same, in a state that is not known here, before the task ends. */
const LASTING_MS = 600_000

/**
 * Why a task ends whose vendor names a state that is not known here: it may be final, as `cancelled` was once. Undefined: the state is
 * known, or something changed meanwhile. The health page names the word. Safe to run twice.
 */
export async function findUnreadEnd(deps: UnreadDeps, row: DueTask, report: TaskReport): Promise<string | undefined> {
  const { unread: word } = report
  if (word === undefined || word === '') {
    if (row.unread_since !== null) await noteUnread(deps.db, row.id, { unread_since: null, unread_digest: null })
    return undefined
  }
  const now = deps.now()
  const unread_digest = createHash('sha256')
    .update(JSON.stringify([word, report.progress, report.media, report.data]))
    .digest('base64url')
  if (row.unread_since === null || row.unread_digest !== unread_digest) {
    await noteUnread(deps.db, row.id, { unread_since: now, unread_digest })
    return undefined
  }
  if (now - row.unread_since < LASTING_MS) return undefined
  const { channel_id, model, request_id } = row
  const shown = word.slice(0, 60)
  deps.log.warn({ channel_id, request_id, reason: shown }, 'A task ended in a state that is not known')
  await addUnexpectedAnswers(deps.redis, [{ channel_id, kind: 'unknown-state', word: shown, model, request_id, at: now, count: 1 }]).catch(
    (err: unknown) => deps.log.warn({ err }, 'An unknown state was not counted'),
  )
  return TASK_FAILURES.unreadState(shown)
}
