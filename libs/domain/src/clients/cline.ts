import type { Client } from './client.ts'
import { SHELLS } from './encode.ts'

export const cline: Client = {
  id: 'cline',
  name: 'Cline',
  kind: 'agent',
  format: 'openai-chat',
  setups: [
    {
      name: 'VS Code',
      note: 'cline',
      parts: ({ address, key, model }) => [
        {
          kind: 'fields',
          fields: [
            { name: 'API Provider', value: 'OpenAI Compatible' },
            { name: 'Base URL', value: `${address}/v1` },
            { name: 'API Key', value: key },
            { name: 'Model ID', value: model },
          ],
        },
      ],
    },
    {
      name: 'CLI',
      note: 'terminal',
      parts: ({ address, key, model }, system) => {
        const { language, text } = SHELLS[system]
        const options = [`--apikey ${text(key)}`, `--baseurl ${text(`${address}/v1`)}`, `--modelid ${text(model)}`]
        return [{ kind: 'code', language, code: `cline auth --provider openai-compatible ${options.join(' ')}` }]
      },
    },
  ],
}
