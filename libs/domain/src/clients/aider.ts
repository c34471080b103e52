import type { Client } from './client.ts'
import { SHELLS } from './encode.ts'

/** `openai/` chooses the API, and is not sent. */
export const aider: Client = {
  id: 'aider',
  name: 'Aider',
  kind: 'agent',
  format: 'openai-chat',
  variables: ['OPENAI_API_BASE', 'OPENAI_API_KEY'],
  setups: [
    {
      name: 'Aider',
      note: 'terminal',
      parts: ({ address, key, model }, system) => {
        const { language, assign, text } = SHELLS[system]
        const commands = [
          assign('OPENAI_API_BASE', `${address}/v1`),
          assign('OPENAI_API_KEY', key),
          `aider --model ${text(`openai/${model}`)}`,
        ]
        return [{ kind: 'code', language, code: commands.join('\n') }]
      },
    },
  ],
}
