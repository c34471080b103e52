import { sessions } from '@tollgate/contracts/resources/sessions'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { endAllSessions } from '../../authentication/cookie-sessions.ts'
import { endOwnSession, listOwnSessions, proveOwnSession } from './service.ts'

export const sessionRoutes = (deps: Deps): Binding[] => [
  handle(sessions.list, ({ actor }) => listOwnSessions(deps, actor)),
  handle(sessions.remove, ({ actor, params }) => endOwnSession(deps, actor, params.id)),
  handle(sessions.removeAll, ({ actor }) => endAllSessions(deps, actor.id)),
  handle(sessions.prove, ({ actor, c, ip, body }) => proveOwnSession(deps, { actor, c, ip }, body)),
]
