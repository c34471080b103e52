import { DELIVERY_JOB } from './delivery-job.ts'
import { job } from './job.ts'

export const sendWebhooks = job('send-webhooks', {
  summary: 'Calls webhooks and callbacks of tasks that are due. Mails have a queue of their own, so none waits for a silent host.',
  queue: 'webhooks',
  ...DELIVERY_JOB,
})
