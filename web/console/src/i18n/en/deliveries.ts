import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/deliveries.ts'

export const texts = {
  title: 'Deliveries',
  state: { waiting: 'Waiting', sent: 'Sent', dead: 'Failed' },
  template: {
    verification: 'Verification code',
    'address-taken': 'Address already registered',
    reset: 'Password reset',
    'low-balance': 'Low balance',
    'channel-disabled': 'Channel disabled',
    'channel-enabled': 'Channel enabled',
    'new-device': 'Sign-in from a new device',
    'spend-alert': 'Spend alert',
    'weekly-report': 'Weekly report',
    test: 'Test message',
  },
  channel: { mail: 'Mail', webhook: 'Webhook' },
  column: {
    state: 'State',
    template: 'Content',
    target: 'Recipient',
    channel: 'Way',
    user: 'User ID',
    attempts: 'Attempts',
    created: 'Created',
    next: 'Next attempt',
    ended: 'Ended',
    error: 'Why the last attempt failed',
  },
  filter: { all: 'All states' },
  retry: 'Send again',
  retried: 'Queued again',
  'root-only': 'For the super administrator only',
  'root-only-help': 'Deliveries hold the addresses of users.',
  'empty-title': 'No messages',
  'empty-help': 'Mails and webhooks that were sent appear here.',
} as const satisfies Texts<typeof zh>
