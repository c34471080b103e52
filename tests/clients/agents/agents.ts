import { join } from 'node:path'
import type { FormatCall, FormatReply } from '@tollgate/testing/format-scripts/script'

export type Place = { readonly home: string; readonly work: string; readonly url: string; readonly key: string }

/** A coding agent: where it comes from, how it is told to use the gateway, and what its own tools are called. */
export type Agent = {
  readonly name: string
  readonly package: string
  readonly binary: string
  /** Files of its home folder. */
  readonly files?: (place: Place) => Readonly<Record<string, string>>
  readonly env: (place: Place) => NodeJS.ProcessEnv
  /** A turn without anybody at the keyboard; the second goes on with the session of the first. */
  readonly args: (prompt: string, turn: 1 | 2, place: Place) => readonly string[]
  /** The call of its own tool that reads the file; undefined where it was offered none that does. */
  readonly readFile: (call: FormatCall, file: string) => Extract<FormatReply, { kind: 'calls' }>['calls'][number] | undefined
}

const GPT = 'gpt-5.1'
const CLAUDE = 'claude-sonnet-4-5'
const GEMINI = 'gemini-2.5-flash'

/** Every model that an agent may ask for, side errands included. */
export const MODELS = [GPT, CLAUDE, 'claude-haiku-4-5', GEMINI, 'gemini-2.5-flash-lite', 'gemini-2.5-pro', 'gemini-3-flash-preview']

export const AGENTS: readonly Agent[] = [
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code@2.1.329',
    binary: 'claude',
    env: ({ url, key }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: CLAUDE,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'claude-haiku-4-5',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    args: (prompt, turn) => ['-p', prompt, '--allowedTools', 'Read', ...(turn === 1 ? [] : ['--continue'])],
    readFile: ({ tools }, file) => (tools.includes('Read') ? { id: 'toolu_read_1', name: 'Read', input: { file_path: file } } : undefined),
  },
  {
    name: 'codex',
    package: '@openai/codex@0.169.0',
    binary: 'codex',
    files: ({ url }) => ({
      '.codex/config.toml': [
        `model = "${GPT}"`,
        'model_provider = "tollgate"',
        'check_for_update_on_startup = false',
        '[analytics]',
        'enabled = false',
        '[model_providers.tollgate]',
        'name = "tollgate"',
        `base_url = "${url}/v1"`,
        'env_key = "TOLLGATE_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 0',
        'stream_max_retries = 0',
      ].join('\n'),
    }),
    env: ({ key, home }) => ({ TOLLGATE_KEY: key, CODEX_HOME: join(home, '.codex') }),
    args: (prompt, turn) => [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      ...(turn === 1 ? [prompt] : ['resume', '--last', prompt]),
    ],
    readFile: ({ tools }, file) => {
      if (tools.includes('exec_command')) return { id: 'call_read_1', name: 'exec_command', input: { cmd: `cat ${file}` } }
      if (tools.includes('shell_command')) return { id: 'call_read_1', name: 'shell_command', input: { command: `cat ${file}` } }
      return tools.includes('shell') ? { id: 'call_read_1', name: 'shell', input: { command: ['cat', file] } } : undefined
    },
  },
  {
    name: 'gemini-cli',
    package: '@google/gemini-cli@0.61.0',
    binary: 'gemini',
    files: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
      }),
    }),
    env: ({ url, key }) => ({
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_TELEMETRY_ENABLED: 'false',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    args: (prompt, turn) => ['-m', GEMINI, '--approval-mode', 'yolo', ...(turn === 1 ? [] : ['--resume', 'latest']), '-p', prompt],
    readFile: ({ tools, text }, file) => {
      if (!tools.includes('read_file')) return undefined
      const input = text.includes('"absolute_path"') ? { absolute_path: file } : { file_path: file }
      return { id: 'call_read_1', name: 'read_file', input }
    },
  },
]
