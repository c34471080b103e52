import { KEY_VARIABLE, PROVIDER, type Client, type ClientValues } from './client.ts'
import { inDotenv, inQuotes } from './encode.ts'

/** The version of the file that the lines below belong to; LibreChat prints a hint for an older one (0.8.524, 2026-11). */
const CONFIG_VERSION = '1.3.17'

export const libreChat: Client = {
  id: 'librechat',
  name: 'LibreChat',
  kind: 'app',
  format: 'openai-chat',
  variables: [KEY_VARIABLE],
  setups: [
    {
      name: 'LibreChat',
      note: 'librechat',
      parts: (values) => [
        { kind: 'code', language: 'yaml', file: 'librechat.yaml', code: configOf(values) },
        { kind: 'code', language: 'dotenv', file: '.env', code: `${KEY_VARIABLE}=${inDotenv(values.key)}` },
      ],
    },
  ],
}

function configOf({ address, model }: ClientValues): string {
  return [
    `version: ${CONFIG_VERSION}`,
    'endpoints:',
    '  custom:',
    `    - name: ${PROVIDER}`,
    `      apiKey: "\${${KEY_VARIABLE}}"`,
    `      baseURL: ${inQuotes(`${address}/v1`)}`,
    '      models:',
    `        default: [${inQuotes(model)}]`,
    '        fetch: true',
    '      titleConvo: true',
    '      titleModel: current_model',
  ].join('\n')
}
