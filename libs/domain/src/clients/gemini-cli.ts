import type { Client } from './client.ts'
import { homePath, inJson, SHELLS } from './encode.ts'

/** Without `-m` it asks a flash-lite model first, and takes the dearest one when that is refused (0.61.0, 2026-11). */
export const geminiCli: Client = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  kind: 'agent',
  format: 'gemini',
  prefers: /^gemini-/,
  variables: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_KEY'],
  setups: [
    {
      name: 'Gemini CLI',
      note: 'gemini-cli',
      parts: ({ address, key, model }, system) => {
        const { language, assign, text } = SHELLS[system]
        const settings = { security: { auth: { selectedType: 'gemini-api-key' } } }
        const commands = [assign('GOOGLE_GEMINI_BASE_URL', address), assign('GEMINI_API_KEY', key), `gemini -m ${text(model)}`]
        return [
          { kind: 'code', language: 'json', file: homePath(system, '.gemini/settings.json'), code: inJson(settings) },
          { kind: 'code', language, code: commands.join('\n') },
        ]
      },
    },
  ],
}
