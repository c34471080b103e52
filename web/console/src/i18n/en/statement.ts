import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/statement.ts'

export const texts = {
  title: 'Statement of {{month}}',
  help: 'Every change of the balance; usage is summed up by day (UTC).',
  month: 'Month',
  print: 'Print',
  lines: 'Statement lines',
  account: 'Account {{name}}, printed {{time}}',
  opening: 'Opening balance',
  closing: 'Closing balance',
  none: 'Nothing changed in this month.',
  cut: 'There are too many entries to show all; opening and closing balance are right.',
  requests_one: '{{count}} request',
  requests_other: '{{count}} requests',
  column: { time: 'Time', cause: 'Cause', note: 'Details', reference: 'Reference', amount: 'Amount', balance: 'Balance' },
  kind: {
    opening: 'Opening quota',
    'sign-up': 'Sign-up gift',
    invitee: 'Gift for an invited user',
    inviter: 'Invite reward',
    redemption: 'Redemption code',
    'top-up': 'Online top-up',
    admin: 'Adjusted by an administrator',
    transfer: 'Invite earnings transferred',
    refund: 'Refund',
    import: 'Import',
    usage: 'Usage',
  },
  redeem: {
    title: 'Redeem a code',
    help: 'Turns a code into balance.',
    code: 'Code',
    submit: 'Redeem',
    blank: 'Enter a code!',
    done: 'Redeemed!',
  },
} as const satisfies Texts<typeof zh>
