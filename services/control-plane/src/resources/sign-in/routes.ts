import { signIn } from '@tollgate/contracts/resources/sign-in'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { closeSession } from '../../authentication/cookie-sessions.ts'
import { toSignedInUser } from '../users/present.ts'
import { finishSecondStep } from '../../authentication/second-step.ts'
import { signInWithPassword } from './service.ts'

export const signInRoutes = (deps: Deps): Binding[] => [
  handle(signIn.create, ({ c, ip, body }) => signInWithPassword(deps, { c, ip }, body)),
  handle(signIn.secondStep, async ({ c, ip, body }) => toSignedInUser(await finishSecondStep(deps, { c, ip }, body.code))),
  handle(signIn.remove, async ({ c }) => {
    await closeSession(deps, c)
    return undefined
  }),
]
