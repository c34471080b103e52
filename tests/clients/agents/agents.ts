import { join } from 'node:path'
import type { FormatCall, FormatReply } from '@tollgate/testing/format-scripts/script'

export type AgentSetup = { readonly home: string; readonly work: string; readonly url: string; readonly key: string }

/** A coding agent: its package, how to configure it for the gateway, and the names of its tools. */
export type Agent = {
  readonly name: string
  readonly package: string
  readonly binary: string
  /** Files in its home folder. */
  readonly files?: (setup: AgentSetup) => Readonly<Record<string, string>>
  readonly env: (setup: AgentSetup) => NodeJS.ProcessEnv
  /** Arguments of a non-interactive turn; the second continues the session of the first. */
  readonly args: (prompt: string, turn: 1 | 2, setup: AgentSetup) => readonly string[]
  /** A call of the agent's own tool that reads the file; undefined if the request offers no such tool. */
  readonly readFile: (call: FormatCall, file: string) => Extract<FormatReply, { kind: 'calls' }>['calls'][number] | undefined
}

const GPT = 'gpt-5.1'
const CLAUDE = 'claude-sonnet-4-5'
const GEMINI = 'gemini-2.5-flash'

/** Every model that an agent may ask for, including those for background calls. */
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
