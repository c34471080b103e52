import { startTestSmtp } from '../../../services/worker/test/smtp-server.ts'
import { openHttpClient, type ConsoleUser } from '../console.ts'
import { waitUntilNone, type Part } from './part.ts'

/** Verification codes to addresses that no account has; each is requested from another client address, because these calls are limited. */
export async function createMails(admin: ConsoleUser, origin: string): Promise<Part> {
  const smtp = await startTestSmtp()
  const options = { SMTPServer: '127.0.0.1', SMTPPort: String(smtp.port), SMTPFrom: 'soak@example.com' }
  for (const [key, value] of Object.entries(options)) await admin.send('PUT', '/api/option/', { key, value })
  let requested = 0
  return {
    name: 'mails',
    about: 'a verification code is requested; the mail server receives exactly one mail for each',
    pauseMs: 4000,
    act: async () => {
      requested += 1
      const { call, close } = openHttpClient(origin, `127.0.${2 + (requested % 200)}.${1 + Math.floor(requested / 200)}`)
      try {
        await call({ method: 'GET', path: `/api/verification?email=visitor-${requested}@example.com` })
      } catch (error) {
        requested -= 1
        throw error
      } finally {
        await close()
      }
    },
    settle: () => waitUntilNone(() => requested - smtp.received.length, 'mails more were requested than received'),
    close: smtp.stop,
  }
}
