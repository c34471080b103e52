import { z } from 'zod'
import { textOf } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { UnixSeconds } from '../units.ts'
import { PasskeyResponse } from './two-factor.ts'

export const Session = z.object({
  /** Part of the stored hash; useless as a cookie. */
  id: z.string(),
  created_at: UnixSeconds,
  /** Address and client program at sign-in. */
  ip: z.string(),
  user_agent: z.string(),
  is_current: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const sessions = {
  list: endpoint({
    method: 'GET',
    path: '/api/user/self/sessions',
    access: 'user',
    summary: 'Own sessions, newest first (ours)',
    data: z.array(Session),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/user/self/sessions/{id}',
    access: 'user',
    summary: 'Ends one of the own sessions (ours)',
    params: z.object({
      id: z
        .string()
        .max(16)
        .regex(/^[0-9a-f]{16}$/),
    }),
  }),
  removeAll: endpoint({
    method: 'DELETE',
    path: '/api/user/self/sessions',
    access: 'user',
    summary: 'Signs out everywhere: ends all own sessions, this one too (ours)',
  }),
  prove: endpoint({
    method: 'POST',
    path: '/api/user/self/proof',
    access: 'user',
    limit: 'critical',
    summary: 'Confirms the own password, code or passkey for this session; for five minutes it may change credentials (ours)',
    body: z.object({ password: textOf(256), code: textOf(100), passkey: PasskeyResponse.optional() }),
  }),
}
