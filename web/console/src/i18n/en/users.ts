import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/users.ts'

export const texts = {
  title: 'Users',
  'search-placeholder': 'Search id, username, display name or email',
  filter: { keyword: 'Keyword', 'all-groups': 'All groups' },
  column: {
    id: 'ID',
    name: 'Username',
    status: 'Status',
    role: 'Role',
    group: 'Group',
    quota: 'Balance',
    used_quota: 'Used quota',
    requests: 'Requests',
    email: 'Email',
  },
  status: { enabled: 'Enabled', disabled: 'Banned', deleted: 'Deleted' },
  role: { root: 'Root', admin: 'Administrator', user: 'User' },
  'empty-title': 'No users yet',
  'empty-help': 'Registered users appear here.',
} as const satisfies Texts<typeof zh>
