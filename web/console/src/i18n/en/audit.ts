import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/audit.ts'

export const texts = {
  title: 'Audit log',
  'lead-admin': 'Changes of channels and codes, and your own actions. Only the super administrator sees everything.',
  column: { time: 'Time', actor: 'By', action: 'Action', resource: 'Object', changes: 'Changes', ip: 'IP address' },
  filter: { 'all-resources': 'All objects', resource_id: 'Object ID or option', actor: 'User ID of the actor' },
  action: {
    create: 'Create',
    update: 'Update',
    delete: 'Delete',
    copy: 'Copy',
    verify: 'Verify',
    repair: 'Repair',
    retry: 'Retry',
    view: 'View as user',
    'view-end': 'End view',
    dismiss: 'Dismiss',
    remove: 'Remove',
    complete: 'Complete',
  },
  resource: {
    channel: 'Channel',
    option: 'Option',
    user: 'User',
    token: 'Token',
    log: 'Log',
    ledger: 'Ledger',
    job: 'Job',
    payment: 'Top-up order',
    redemption: 'Redemption code',
    delivery: 'Delivery',
  },
  system: 'System',
  'no-changes': 'No fields changed',
  'empty-title': 'No entries',
  'empty-help': 'Changes of channels, users, settings and more are recorded here.',
} as const satisfies Texts<typeof zh>
