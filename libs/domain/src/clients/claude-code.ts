import { WINDOW_TOKENS, type Client, type ClientValues } from './client.ts'
import { homePath, inJson } from './encode.ts'

/** For other names it assumes 1 000 000 tokens, so it does not shorten a conversation before the vendor refuses it (2.1.332, 2026-11). */
const KNOWN = /^claude-/

export const claudeCode: Client = {
  id: 'claude-code',
  name: 'Claude Code',
  kind: 'agent',
  format: 'anthropic-messages',
  prefers: KNOWN,
  variables: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_MODEL'],
  setups: [
    {
      name: 'Claude Code',
      note: 'claude-code',
      parts: (values, system) => [
        { kind: 'code', language: 'json', file: homePath(system, '.claude/settings.json'), code: inJson({ env: environmentOf(values) }) },
      ],
    },
  ],
}

const environmentOf = ({ address, key, model }: ClientValues): Readonly<Record<string, string>> => ({
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_AUTH_TOKEN: key,
  ANTHROPIC_MODEL: model,
  ...(KNOWN.test(model) ? {} : { CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(WINDOW_TOKENS) }),
})
