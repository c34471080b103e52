import { budgetPage, type MailTexts } from '../mail-text.ts'

const OWNERS: Readonly<Record<string, string>> = { project: 'project', member: 'member' }

const ROLES: Readonly<Record<string, string>> = {
  owner: 'owner',
  admin: 'administrator',
  billing: 'billing contact',
  developer: 'developer',
  viewer: 'viewer',
}

export const en: MailTexts = {
  verification: ({ code }, { name }, minutes) => ({
    subject: `Verify your e-mail address for ${name}`,
    blocks: [
      { text: `Your verification code for ${name} is:` },
      { code },
      { text: `The code is valid for ${minutes} minutes. If you did not ask for it, ignore this mail.` },
    ],
  }),
  'address-taken': (_values, { name, address }) => ({
    subject: `Verify your e-mail address for ${name}`,
    blocks: [
      { text: `Someone asked to register or bind this address at ${name}. It already belongs to an account, so no code was sent.` },
      { text: 'If it was you, sign in, or reset your password if you forgot it. Otherwise ignore this mail.' },
      { link: `${address}/login`, label: 'Sign in' },
    ],
  }),
  reset: ({ link }, { name }, minutes) => ({
    subject: `Reset your password for ${name}`,
    blocks: [
      { text: `You asked to reset your password for ${name}. Use this link to set a new one:` },
      { link, label: 'Reset password' },
      {
        text: `The link is valid for ${minutes} minutes and works once. If you did not ask for it, ignore this mail: your password stays.`,
      },
    ],
  }),
  'notification-code': ({ code }, { name }, minutes) => ({
    subject: `Confirm the address for notifications of ${name}`,
    blocks: [
      { text: `An account at ${name} wants to send its notifications to this address. To confirm it, enter this code there:` },
      { code },
      { text: `The code is valid for ${minutes} minutes. If you have no such account, ignore this mail: nothing more is sent.` },
    ],
  }),
  'password-changed': (_values, { name, address }) => ({
    subject: `${name}: your password was changed`,
    blocks: [
      { text: `The password of your account at ${name} was changed, and all other sessions were ended.` },
      { text: 'If this was not you, reset your password now.' },
      { link: `${address}/reset`, label: 'Reset password' },
    ],
  }),
  'email-changed': (_values, { name, address }) => ({
    subject: `${name}: your e-mail address was changed`,
    blocks: [
      { text: `This address no longer belongs to your account at ${name}. You get no more mails about the account here.` },
      { text: 'If this was not you, sign in and change your password, or contact the administrator.' },
      { link: `${address}/login`, label: 'Sign in' },
    ],
  }),
  'alerts-moved': (_values, { name, address }) => ({
    subject: `${name}: notifications now go elsewhere`,
    blocks: [
      { text: 'The notifications of your account were sent here until now. They go elsewhere from now on; this is the last one.' },
      { text: 'If this was not you, change your password now and sign out everywhere.' },
      { link: `${address}/personal`, label: 'View settings' },
    ],
  }),
  invitation: ({ organisation, inviter, role }, { name, address }) => ({
    subject: `You are invited to “${organisation}” at ${name}`,
    blocks: [
      { text: `${inviter} invites you to the organisation “${organisation}” at ${name}, as ${ROLES[role] ?? role}.` },
      { text: 'Sign in with the account of this address, or register with it; the invitation is on the page of organisations.' },
      { link: `${address}/organisations`, label: 'View invitation' },
      { text: 'The invitation is valid for seven days. If you do not know the sender, ignore this mail.' },
    ],
  }),
  'low-balance': ({ balance }, { address }) => ({
    subject: 'Your balance is running low',
    blocks: [
      { text: `Your balance is running low: ${balance} is left. Top up soon to keep your requests running.` },
      { link: `${address}/topup`, label: 'Top up' },
      { text: 'You get this at most once in two hours. You can change the threshold in your personal settings.' },
    ],
  }),
  'channel-disabled': ({ id, name, reason, status }, { address }) => ({
    subject: `Channel “${name}” (#${id}) was disabled`,
    blocks: [
      { text: `Channel “${name}” (#${id}) was disabled. Reason: ${status ? `the vendor said “${reason}”` : reason}` },
      { link: `${address}/channel`, label: 'View channels' },
    ],
  }),
  'channel-enabled': ({ id, name }, { address }) => ({
    subject: `Channel “${name}” (#${id}) was enabled`,
    blocks: [{ text: `Channel “${name}” (#${id}) was enabled.` }, { link: `${address}/channel`, label: 'View channels' }],
  }),
  'channel-key-expires': ({ id, name, keys, time }, { address }) => ({
    subject: `A key of channel “${name}” (#${id}) expires soon`,
    blocks: [
      { text: `Keys of channel “${name}” (#${id}) expire soon, the first at ${time}: …${keys}` },
      { text: 'An expired key gets no new requests.' },
      { link: `${address}/channel/edit/${id}`, label: 'Rotate the key' },
    ],
  }),
  'channel-balance-low': ({ id, name, balance, threshold }, { address }) => ({
    subject: `Channel “${name}” (#${id}) has a low balance`,
    blocks: [
      { text: `The upstream balance of channel “${name}” (#${id}) is ${balance}, below ${threshold}.` },
      { link: `${address}/channel/edit/${id}`, label: 'View the channel' },
    ],
  }),
  'new-device': ({ ip, device }, { name, address }) => ({
    subject: `${name}: sign-in from a new device`,
    blocks: [
      { text: 'Your account was just used to sign in from a new device.' },
      { text: `IP address: ${ip}` },
      { text: `Device: ${device === '' ? 'an unknown program' : device}` },
      { text: 'If this was not you, change your password now and sign out everywhere.' },
      { link: `${address}/personal`, label: 'View devices' },
    ],
  }),
  'spend-alert': ({ token, period, threshold, spent }, { address }) => {
    const time = { day: 'today (UTC)', week: 'this week (UTC)', month: 'this month (UTC)' }[period] ?? 'lately'
    const subject = token === '' ? `Your account spent ${spent} ${time}` : `Token “${token}” spent ${spent} ${time}`
    return {
      subject,
      blocks: [
        { text: `${subject}. Your threshold is ${threshold}.` },
        { link: `${address}/detail`, label: 'View spend' },
        { text: 'You get this once per period. You can change the threshold in your wallet. Requests continue.' },
      ],
    }
  },
  'budget-alert': ({ token, scope, window, percent, amount, spent, action }, { address }) => {
    const name = { '5h': '5-hour', day: 'daily', week: 'weekly', month: 'monthly', total: 'total' }[window] ?? ''
    const subject = `${percent}% of the ${name} budget of ${token === '' ? 'your account' : `${OWNERS[scope] ?? 'token'} “${token}”`} is spent`
    const isFull = Number(percent) >= 100
    const refused = isFull ? 'Requests are refused until it starts again or is raised.' : 'Requests are refused when it is used up.'
    return {
      subject,
      blocks: [
        { text: `${subject}: ${spent} of ${amount}.` },
        { link: `${address}/${budgetPage(token, scope)}`, label: 'View budgets' },
        { text: action === 'refuse' ? refused : 'Requests continue: this budget only warns.' },
      ],
    }
  },
  'payment-disputed': ({ trade_no, state, reason }, { address }) => {
    const decided = { won: 'was decided for you', lost: 'was decided against you' }[state] ?? 'is open'
    return {
      subject: `Dispute of payment ${trade_no} ${decided}`,
      blocks: [
        { text: `The payer contests payment ${trade_no}; the dispute ${decided}. Reason: ${reason}` },
        { text: 'The balance of the user is unchanged. Answer the dispute with the provider, and adjust the balance if needed.' },
        { link: `${address}/payment?keyword=${trade_no}`, label: 'View order' },
      ],
    }
  },
  'weekly-report': ({ from, until, spent, requests, balance, models }, { name, address }) => ({
    subject: `${name}: your week from ${from} to ${until}`,
    blocks: [
      { text: `From ${from} to ${until} (UTC) you sent ${requests} requests and spent ${spent}. Your balance is ${balance}.` },
      ...models.split('\n').map((text) => ({ text })),
      { link: `${address}/detail`, label: 'View dashboard' },
      { text: 'The number in brackets is the number of requests. You can switch this report off in your wallet.' },
    ],
  }),
  test: (_values, { name }) => ({
    subject: `${name} test message`,
    blocks: [{ text: `This is a test message from ${name}. Your notification settings work.` }],
  }),
  footer: ({ name }) => `${name} sent this message automatically. Do not reply to it.`,
}
