import { DELIVERY_JOB } from './delivery-job.ts'
import { job } from './job.ts'

export const sendMails = job('send-mails', {
  summary: 'Sends mails that are due, and those that failed once their wait is over.',
  queue: 'mail',
  ...DELIVERY_JOB,
})
