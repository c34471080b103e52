import { DELIVERY_JOB } from './delivery-job.ts'
import { job } from './job.ts'

export const sendEvents = job('send-events', {
  summary: 'Sends events that are due to the webhook endpoints of operators.',
  queue: 'webhooks',
  ...DELIVERY_JOB,
})
