import { signIn } from '@tollgate/contracts/resources/sign-in'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { closeSession } from '../../sessions/sessions.ts'
import { finishSecondStep } from '../../sessions/second-step.ts'
import { signInWithPassword } from './service.ts'

export const signInRoutes = (deps: Deps): Binding[] => [
  handle(signIn.create, ({ c, ip, body }) => signInWithPassword(deps, { c, ip }, body)),
  handle(signIn.secondStep, ({ c, ip, body }) => finishSecondStep(deps, { c, ip }, body.code)),
  handle(signIn.remove, async ({ c }) => {
    await closeSession(deps, c)
    return undefined
  }),
]
