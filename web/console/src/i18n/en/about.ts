import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/about.ts'

export const texts = {
  title: 'About',
  heading: 'About {{name}}',
  what: 'This is a gateway for AI models: one address and one token for the models of many vendors, in the API formats of OpenAI, Anthropic and Google.',
  how: 'Every request is charged by what it used. The usage log shows the steps it went through and what it cost.',
  facts: 'This site',
  'base-url': 'Base URL',
  version: 'Version',
  docs: 'Docs',
} as const satisfies Texts<typeof zh>
