import type { Client, ClientValues } from './client.ts'
import { inPowerShell, inShell } from './encode.ts'

export const curl: Client = {
  id: 'curl',
  name: 'curl',
  kind: 'library',
  format: 'openai-chat',
  setups: [
    {
      name: 'curl',
      note: 'terminal',
      parts: (values, system) => [
        system === 'windows'
          ? { kind: 'code', language: 'powershell', code: powerShell(values) }
          : { kind: 'code', language: 'shell', code: command(values) },
      ],
    },
  ],
}

const bodyOf = (model: string, isStream: boolean): string =>
  JSON.stringify({ model, ...(isStream ? { stream: true } : {}), messages: [{ role: 'user', content: 'Hello' }] })

const command = ({ address, key, model }: ClientValues): string =>
  [
    `curl -N ${inShell(`${address}/v1/chat/completions`)} \\`,
    `  -H ${inShell(`Authorization: Bearer ${key}`)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${inShell(bodyOf(model, true))}`,
  ].join('\n')

/** Windows PowerShell drops the quotes of JSON in the arguments of programs, so this is its own command. */
const powerShell = ({ address, key, model }: ClientValues): string =>
  [
    `$answer = Invoke-RestMethod -Method Post -Uri ${inPowerShell(`${address}/v1/chat/completions`)} \``,
    `  -Headers @{ Authorization = ${inPowerShell(`Bearer ${key}`)} } \``,
    `  -ContentType 'application/json; charset=utf-8' \``,
    `  -Body ${inPowerShell(bodyOf(model, false))}`,
    '$answer.choices[0].message.content',
  ].join('\n')
