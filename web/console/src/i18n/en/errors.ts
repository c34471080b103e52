import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/errors.ts'

export const texts = {
  'too-many-requests': 'Too many requests. Please try again later.',
  'again-in_one': 'Possible again in {{count}} second.',
  'again-in_other': 'Possible again in {{count}} seconds.',
  'wait-limit_one': 'Too many calls from here. The page goes on by itself in {{count}} second.',
  'wait-limit_other': 'Too many calls from here. The page goes on by itself in {{count}} seconds.',
  'wait-postgres': 'The database (Postgres) does not answer. The page goes on by itself when it does.',
  'wait-redis': 'Redis does not answer. The page goes on by itself when it does.',
  'wait-both': 'Postgres and Redis do not answer. The page goes on by itself when they do.',
  'wait-server': 'The server does not answer. The page goes on by itself when it does.',
  'server-fault': 'Internal server error. Please contact the administrator.',
  'demo-only': 'This site is a demonstration without a server.',
  other: 'Error: {{message}}',
  'record-missing': 'Not found. It may have been deleted.',
  'status-unreachable': 'Unable to connect to server',
  'status-failed': 'Failed to load status',
  'page-broke': 'This page failed',
  'page-broke-help': 'Nothing was changed. Try again; if it happens again, give the text below to your administrator.',
  'no-permission': 'You do not have permission for this',
  'no-permission-help': 'Only administrators can open this page.',
  'not-found': 'This page does not exist',
  'not-found-help': 'There is nothing at this address. Please check that it is spelled correctly.',
} as const satisfies Texts<typeof zh>
