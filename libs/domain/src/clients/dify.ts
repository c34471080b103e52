import type { Client } from './client.ts'

export const dify: Client = {
  id: 'dify',
  name: 'Dify',
  kind: 'app',
  format: 'openai-chat',
  setups: [
    {
      name: 'Dify',
      note: 'dify',
      parts: ({ address, key, model }) => [
        {
          kind: 'fields',
          fields: [
            { name: 'Model Type', value: 'LLM' },
            { name: 'Model Name', value: model },
            { name: 'API Key', value: key },
            { name: 'API endpoint URL', value: `${address}/v1` },
            { name: 'Completion mode', value: 'Chat' },
          ],
        },
      ],
    },
  ],
}
