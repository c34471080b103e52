import { z } from 'zod'
import { LANGUAGES } from '@tollgate/contracts/texts/mails'
import { job } from './job.ts'

export const sendTestMail = job('send-test-mail', {
  summary: 'Sends a test mail with the saved options at once, and says what the mail server answered.',
  queue: 'mail',
  attempts: 1,
  timeoutMs: 35_000,
  payload: z.object({ to: z.string(), language: z.enum(LANGUAGES) }),
  result: z.object({ ok: z.boolean(), message: z.string() }),
})
