import { cherryConfig } from '../chat-links.ts'
import type { Client } from './client.ts'

/** It adds /v1 itself. */
export const cherryStudio: Client = {
  id: 'cherry-studio',
  name: 'Cherry Studio',
  kind: 'app',
  format: 'openai-chat',
  setups: [
    {
      name: 'Cherry Studio',
      note: 'cherry-studio',
      parts: (values) => [
        { kind: 'links', links: [{ name: 'Cherry Studio', url: `cherrystudio://providers/api-keys?v=1&data=${cherryConfig(values)}` }] },
        {
          kind: 'fields',
          fields: [
            { name: 'Provider Type', value: 'OpenAI' },
            { name: 'API Key', value: values.key },
            { name: 'API Host', value: values.address },
            { name: 'Model ID', value: values.model },
          ],
        },
      ],
    },
  ],
}
