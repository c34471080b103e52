import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/sign-in.ts'

export const texts = {
  title: 'Log in to {{name}}',
  'username-or-email': 'Username or email',
  password: 'Password',
  'show-password': 'Show password',
  'hide-password': 'Hide password',
  submit: 'Log in',
  'second-step': {
    title: 'Two-step verification',
    help: 'Enter the 6 digits that your authenticator app shows. Without your phone, enter a recovery code.',
    code: 'Code',
    required: 'Please enter the code!',
    submit: 'Verify',
    back: 'Back to login',
  },
  register: 'Create an account',
  'forgot-password': 'Forgot your password?',
  expired: 'You are not logged in or your session has expired, please log in again',
  'both-required': 'Please enter your username and password!',
  'human-check': 'Please try again in a few seconds: Turnstile is checking your browser!',
  'signed-in': 'Logged in!',
  'default-password': 'You are using the default password. Change it now!',
} as const satisfies Texts<typeof zh>
