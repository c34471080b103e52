import { PROVIDER, type Client, type ClientValues } from './client.ts'
import { homePath, inQuotes } from './encode.ts'

export const continueDev: Client = {
  id: 'continue',
  name: 'Continue',
  kind: 'editor',
  format: 'openai-chat',
  setups: [
    {
      name: 'Continue',
      note: 'continue',
      parts: (values, system) => [
        { kind: 'code', language: 'yaml', file: homePath(system, '.continue/config.yaml'), code: configOf(values) },
      ],
    },
  ],
}

function configOf({ address, key, model }: ClientValues): string {
  return [
    `name: ${PROVIDER}`,
    'version: 1.0.0',
    'schema: v1',
    'models:',
    `  - name: ${inTemplate(model)}`,
    '    provider: openai',
    `    model: ${inTemplate(model)}`,
    `    apiBase: ${inTemplate(`${address}/v1`)}`,
    `    apiKey: ${inTemplate(key)}`,
    '    roles: [chat, edit, apply]',
  ].join('\n')
}

/** It fills `${{ … }}` in the text of the file, before it reads the YAML. */
const inTemplate = (text: string): string => inQuotes(text).replaceAll('${{', String.raw`\u0024{{`)
