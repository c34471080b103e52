import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { QueryText, textOf } from '../values/common-schemas.ts'
import { User } from './users.ts'

export const LoginBody = z.object({
  /** User name or e-mail address. */
  username: textOf(500),
  password: textOf(1000),
})
export type LoginBody = z.infer<typeof LoginBody>

export const TurnstileQuery = z.object({ turnstile: QueryText })

export const signIn = {
  /** `data` is a User with only id, username, display_name, role, status and group set. */
  create: endpoint({
    method: 'POST',
    path: '/api/user/login',
    access: 'public',
    summary: 'Signs in and sets the session cookie',
    limit: 'sign-in',
    humanCheck: true,
    query: TurnstileQuery,
    body: LoginBody,
    data: User,
  }),
  /** After a sign-in that was refused with field `code`, within five minutes and in the same browser. */
  secondStep: endpoint({
    method: 'POST',
    path: '/api/user/login/second-step',
    access: 'public',
    limit: 'sign-in',
    summary: 'Finishes a sign-in with the code of an authenticator app or a recovery code (ours)',
    body: z.object({ code: textOf(100) }),
    data: User,
  }),
  /** Also succeeds without a session. */
  remove: endpoint({ method: 'GET', path: '/api/user/logout', access: 'public', changes: true, summary: 'Ends the session' }),
}
