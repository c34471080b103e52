import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/personal.ts'

export const texts = {
  title: 'Personal settings',
  profile: 'Profile',
  username: 'Username',
  group: 'Group',
  balance: 'Balance',
  spent: 'Spent so far',
  requests: 'Requests',
  'role-admin': 'Administrator',
  'role-user': 'User',
  models: 'Available models',
  'models-count_one': '{{count}} model; click a name to copy it',
  'models-count_other': '{{count}} models; click a name to copy it',
  'models-none': 'No model is available to your group at the moment.',
  'models-all_one': 'Show all {{count}}',
  'models-all_other': 'Show all {{count}}',
  'models-fewer': 'Show fewer',
} as const satisfies Texts<typeof zh>
