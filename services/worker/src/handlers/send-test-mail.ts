import type { Handler } from '@tollgate/jobs/jobs'
import { renderMail } from '@tollgate/mail/render-mail'
import type { MailDeps } from '../deliveries/deliver-mail.ts'
import { readDeliveryOptions, siteOf } from '../deliveries/options.ts'
import { MailError, sendMail } from '../deliveries/smtp.ts'

const SEND_MS = 30_000

/** Running twice sends the mail twice, which a test may. */
export const sendTestMail =
  (deps: MailDeps): Handler<'send-test-mail'> =>
  async ({ to, language }, { signal }) => {
    const options = await readDeliveryOptions(deps)
    const site = siteOf(options)
    const mail = renderMail({ template: 'test', language, values: {}, site, minutes: 0 })
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)])
      await sendMail(deps.smtp, options, { ...mail, to, from_name: site.name, message_id: `tollgate-test-${deps.now()}` }, limit)
      return { ok: true, message: '' }
    } catch (error) {
      if (!(error instanceof MailError)) throw error
      return { ok: false, message: error.message }
    }
  }
