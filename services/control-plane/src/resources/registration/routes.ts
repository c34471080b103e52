import { oauth } from '@tollgate/contracts/resources/oauth'
import { registration } from '@tollgate/contracts/resources/registration'
import { messages } from '@tollgate/contracts/texts/success-messages'
import { withMessage } from '@tollgate/http/envelope'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { bindEmail } from './bind-email.ts'
import { register } from './register.ts'
import { resetPassword } from './reset-password.ts'
import { sendReset, sendVerification } from './send.ts'

export const registrationRoutes = (deps: Deps): Binding[] => [
  handle(registration.create, async ({ c, ip, body, language }) => {
    await register(deps, { c, ip }, language, body)
    return undefined
  }),
  handle(registration.sendCode, async ({ c, ip, actor, language, query }) => {
    await sendVerification(deps, { c, ip, actor, language }, query.email)
    return undefined
  }),
  handle(registration.sendReset, async ({ c, ip, language, query }) => {
    await sendReset(deps, { c, ip, language }, query.email)
    return withMessage(messages['password.mail-sent'][language])
  }),
  handle(oauth.bindEmail, async ({ c, actor, ip, query }) => {
    await bindEmail(deps, { c, actor, ip }, query)
    return undefined
  }),
  handle(registration.resetPassword, ({ body, ip }) => resetPassword(deps, ip, body)),
]
