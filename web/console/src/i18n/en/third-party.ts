import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/third-party.ts'

export const texts = {
  name: { github: 'GitHub', oidc: 'OIDC', linuxdo: 'Linux DO', wechat: 'WeChat', telegram: 'Telegram' },
  'log-in': {
    github: 'Log in with GitHub',
    oidc: 'Log in with OIDC',
    linuxdo: 'Log in with Linux DO',
    wechat: 'Log in with WeChat',
    telegram: 'Log in with Telegram',
  },
  or: 'or',
  passkey: { 'log-in': 'Log in with a passkey', cancelled: 'No passkey was used: it was cancelled, or this device has none' },
  wechat: {
    'log-in': 'Log in with WeChat',
    bind: 'Bind a WeChat account',
    help: 'Scan the code with WeChat, follow the account and ask it for a verification code, which is valid for three minutes',
    qrcode: 'QR code of the WeChat account',
    'no-qrcode': 'The administrator has not set the QR code. Ask for the name of the WeChat account.',
    code: 'Verification code',
    required: 'Please enter the verification code!',
    submit: { 'log-in': 'Log in', bind: 'Bind' },
    bound: 'WeChat account bound!',
  },
  telegram: {
    loading: 'Loading the Telegram button…',
    failed: 'The Telegram button could not be loaded. Check the network and reload the page.',
  },
  callback: {
    title: 'Processing…',
    help: 'Waiting for the answer of {{provider}}',
    bound: 'Account bound!',
    failed: 'Operation failed, redirecting to login page',
    'not-bound': 'Nothing was bound ({{code}}). Try again under “Bound accounts”.',
    stale: 'This login request has expired or was used already. Please start again.',
  },
} as const satisfies Texts<typeof zh>
