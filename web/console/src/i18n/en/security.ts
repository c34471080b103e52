import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/security.ts'

export const texts = {
  proof: {
    title: 'Confirm that it is you',
    help: 'To protect your account, confirm your identity before you continue.',
    password: 'Current password',
    required: 'Please enter your current password!',
    submit: 'Continue',
  },
  bindings: {
    title: 'Bound accounts',
    help: 'You can log in with these accounts once they are bound.',
    name: { email: 'Email', wechat: 'WeChat', github: 'GitHub', oidc: 'OIDC', telegram: 'Telegram', linuxdo: 'Linux DO' },
    none: 'Not bound',
    off: 'Not bound; turned off by the administrator',
    bind: 'Bind',
    change: 'Change',
    unbind: 'Unbind',
    unbound: 'Unbound',
    'unbind-title': 'Unbind {{name}}?',
    'unbind-help': 'You can no longer log in to this account with {{account}}. You can bind it again.',
    'telegram-bound': 'Account bound!',
  },
  email: {
    title: 'Bind an email address',
    email: 'Email',
    'email-required': 'Please enter your email!',
    'get-code': 'Get code',
    resend: 'Send again ({{seconds}})',
    sent: 'The verification code was sent, check your mailbox!',
    code: 'Email verification code',
    'code-required': 'Please enter the email verification code!',
    submit: 'Bind',
    bound: 'Email bound!',
    'human-check': 'Please try again in a few seconds: Turnstile is checking your browser!',
  },
} as const satisfies Texts<typeof zh>
