import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/setup.ts'

export const texts = {
  title: 'Set up the system',
  intro: 'Create the super administrator and choose how the system is used. That is all it takes.',
  'sqlite-title': 'You are using SQLite',
  'sqlite-help':
    'In a container, keep the database file on a persistent volume, otherwise a restart loses your data. For production, MySQL or PostgreSQL is recommended.',
  administrator: 'Super administrator',
  'root-exists': 'The super administrator already exists; only the usage mode is left to choose.',
  username: 'Admin username',
  password: 'Password',
  'password-help': '8 to 20 characters',
  'confirm-password': 'Confirm password',
  'usage-mode': 'Usage mode',
  'mode-external': 'External operation',
  'mode-external-help': 'Usage is metered and every model needs a price.',
  'mode-self': 'Self-use',
  'mode-self-help': 'For your own use: models work without prices.',
  'mode-demo': 'Demo site',
  'mode-demo-help': 'A site for visitors, marked as a demo in the top bar.',
  'explain-modes': 'How do the three differ?',
  'modes-title': 'Usage modes',
  'mode-external-long':
    'For serving others. Every request is metered and taken from the user’s quota; a model without a price cannot be used, so no request goes uncounted.',
  'mode-self-long':
    'For yourself or a team. Requests are still recorded, but models without a price can be used instead of being refused. The top bar shows a self-use badge and registration is hidden.',
  'mode-demo-long': 'For showing in public. The top bar shows a demo badge; everything else is as in external operation.',
  'modes-later': 'You can change this later in the system settings.',
  code: 'One-time setup code',
  'code-help':
    'Not needed when this page is opened on the machine itself; from elsewhere, enter the code printed in the terminal at start.',
  submit: 'Initialise system',
  'username-required': 'Please enter the admin username',
  'username-length': 'The username has 1 to 12 characters',
  'password-short': 'The password needs at least 8 characters',
  'password-long': 'The password has at most 20 characters',
  'passwords-differ': 'The two passwords do not match',
  done: 'The system has been initialised',
  'read-failed': 'Failed to read the setup status',
  refused: 'Initialisation failed, please retry',
  failed: 'System initialisation failed, please retry',
  'form-missing': 'Form reference error',
} as const satisfies Texts<typeof zh>
