import type { Client } from './client.ts'

export const cursor: Client = {
  id: 'cursor',
  name: 'Cursor',
  kind: 'editor',
  format: 'openai-chat',
  setups: [
    {
      name: 'Cursor',
      note: 'cursor',
      parts: ({ address, key, model }) => [
        {
          kind: 'fields',
          fields: [
            { name: 'OpenAI API Key', value: key },
            { name: 'Override OpenAI Base URL', value: `${address}/v1` },
            { name: 'Add Custom Model', value: model },
          ],
        },
      ],
    },
  ],
}
