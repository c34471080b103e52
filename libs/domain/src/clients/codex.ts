import { KEY_VARIABLE, PROVIDER, PROVIDER_ID, WINDOW_TOKENS, type Client, type ClientValues } from './client.ts'
import { homePath, inQuotes, SHELLS } from './encode.ts'

/** It prints a warning for other names and does not shorten a conversation before the vendor refuses it (0.171.0, 2026-11). */
const KNOWN = /^(gpt-|o\d|codex)/

export const codex: Client = {
  id: 'codex',
  name: 'Codex',
  kind: 'agent',
  format: 'openai-responses',
  prefers: KNOWN,
  variables: [KEY_VARIABLE],
  setups: [
    {
      name: 'Codex',
      note: 'codex',
      parts: (values, system) => [
        { kind: 'code', language: 'toml', file: homePath(system, '.codex/config.toml'), code: configOf(values) },
        { kind: 'code', language: SHELLS[system].language, code: SHELLS[system].assign(KEY_VARIABLE, values.key) },
      ],
    },
  ],
}

function configOf({ address, model }: ClientValues): string {
  return [
    `model = ${inQuotes(model)}`,
    `model_provider = "${PROVIDER_ID}"`,
    ...(KNOWN.test(model) ? [] : [`model_context_window = ${WINDOW_TOKENS}`]),
    '',
    `[model_providers.${PROVIDER_ID}]`,
    `name = "${PROVIDER}"`,
    `base_url = ${inQuotes(`${address}/v1`)}`,
    `env_key = "${KEY_VARIABLE}"`,
    'wire_api = "responses"',
  ].join('\n')
}
