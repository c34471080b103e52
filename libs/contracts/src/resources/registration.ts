import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { QueryText, TextOrNull, textOf } from '../values/common-schemas.ts'

export const RegisterBody = z.object({
  username: textOf(200),
  password: textOf(1000),
  email: TextOrNull,
  verification_code: TextOrNull,
  aff_code: TextOrNull,
})
export type RegisterBody = z.infer<typeof RegisterBody>

const MailQuery = z.object({ email: QueryText, turnstile: QueryText })
const guarded = { access: 'public', limit: 'critical', humanCheck: true } as const

export const registration = {
  create: endpoint({
    method: 'POST',
    path: '/api/user/register',
    ...guarded,
    summary: 'Registers an account; does not sign in',
    query: z.object({ turnstile: QueryText }),
    body: RegisterBody,
  }),
  sendCode: endpoint({
    method: 'GET',
    path: '/api/verification',
    ...guarded,
    access: 'optional',
    summary: 'Mails a verification code',
    query: MailQuery,
  }),
  sendReset: endpoint({ method: 'GET', path: '/api/reset_password', ...guarded, summary: 'Mails a password reset link', query: MailQuery }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/user/reset',
    access: 'public',
    limit: 'critical',
    summary: 'Sets a new random password; data is the password',
    body: z.object({ email: textOf(500), token: textOf(500) }),
    data: z.string(),
  }),
}
