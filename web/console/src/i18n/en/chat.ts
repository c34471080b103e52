import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/chat.ts'

export const texts = {
  title: 'Chat',
  'no-token': 'No token is enabled. Please check that one of your tokens is.',
  'faulty-link': 'The chat link is not configured correctly. Please contact your administrator.',
  'no-link': 'Please ask your administrator to configure a chat link',
  'parse-failed': 'chat data parse failed',
  'opens-application': 'This link opens an application and fills in the address of the gateway and your key.',
  'open-application': 'Open the application',
} as const satisfies Texts<typeof zh>
