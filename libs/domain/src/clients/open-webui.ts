import type { Client } from './client.ts'
import { SHELLS } from './encode.ts'

/** The variables count at the first start only; later the database of Open WebUI does. */
export const openWebUi: Client = {
  id: 'open-webui',
  name: 'Open WebUI',
  kind: 'app',
  format: 'openai-chat',
  variables: ['OPENAI_API_BASE_URL', 'OPENAI_API_KEY', 'DEFAULT_MODELS'],
  setups: [
    {
      name: 'Open WebUI',
      note: 'open-webui',
      parts: ({ address, key, model }, system) => {
        const { language, assign } = SHELLS[system]
        const commands = [
          assign('OPENAI_API_BASE_URL', `${address}/v1`),
          assign('OPENAI_API_KEY', key),
          assign('DEFAULT_MODELS', model),
          'open-webui serve',
        ]
        return [
          {
            kind: 'fields',
            fields: [
              { name: 'URL', value: `${address}/v1` },
              { name: 'Key', value: key },
            ],
          },
          { kind: 'code', language, code: commands.join('\n') },
        ]
      },
    },
  ],
}
