import { join } from 'node:path'
import type { FormatCall, FormatReply } from '@tollgate/testing/format-scripts/script'

export type AgentSetup = { readonly home: string; readonly work: string; readonly url: string; readonly key: string }

type Call = Extract<FormatReply, { kind: 'calls' }>['calls'][number]

/** A coding agent: its package, how to configure it for the gateway, and the names of its tools. */
export type Agent = {
  readonly name: string
  readonly package: string
  readonly binary: string
  /** Files in its home folder. */
  readonly files?: (setup: AgentSetup) => Readonly<Record<string, string>>
  readonly env: (setup: AgentSetup) => NodeJS.ProcessEnv
  /** Arguments of a non-interactive turn; those after the first resume the session from its files. */
  readonly args: (prompt: string, turn: number, setup: AgentSetup) => readonly string[]
  /** A call of the agent's own tool that reads the file; undefined if the request offers no such tool. */
  readonly readFile: (call: FormatCall, file: string) => Call | undefined
  /** A call of the agent's own tool that creates the file with one line of text. */
  readonly writeFile: (call: FormatCall, file: string, text: string) => Call | undefined
}

const CLAUDE = 'claude-opus-4-7'
const GEMINI = 'gemini-2.5-flash'
const CHAT = 'team-model'

/** Every model that an agent may ask for, including those for background calls. */
export const MODELS = [
  'gpt-5.5',
  'gpt-6.2-sol',
  CLAUDE,
  'claude-haiku-4-5',
  GEMINI,
  'gemini-2.5-flash-lite',
  'gemini-2.5-pro',
  'gemini-3-flash-preview',
  CHAT,
]

type CodexTools = Pick<Agent, 'readFile' | 'writeFile'>

const patchOf = (file: string, text: string) => ['*** Begin Patch', `*** Add File: ${file}`, `+${text}`, '*** End Patch', ''].join('\n')

/** Functions beside a free-form tool for patches. */
const CODEX_TOOLS: CodexTools = {
  readFile: ({ tools }, file) =>
    tools.includes('exec_command') ? { id: 'call_read_1', name: 'exec_command', input: { cmd: `cat ${file}` } } : undefined,
  writeFile: ({ tools }, file, text) =>
    tools.includes('apply_patch')
      ? { id: 'call_write_1', name: 'apply_patch', input: { input: patchOf(file, text) }, is_custom: true }
      : undefined,
}

/** Models since GPT-6 get one free-form tool, in an input item below a namespace, that takes JavaScript. */
const CODEX_CODE: CodexTools = {
  readFile: (call, file) =>
    toExec(call, 'call_read_1', `text((await tools.exec_command({ cmd: ${JSON.stringify(`cat ${file}`)} })).output)`),
  writeFile: (call, file, text) => toExec(call, 'call_write_1', `text(await tools.apply_patch(${JSON.stringify(patchOf(file, text))}))`),
}

const toExec = ({ tools }: FormatCall, id: string, input: string) =>
  tools.includes('exec') ? { id, name: 'exec', input: { input }, is_custom: true, namespace: 'functions' } : undefined

const codex = (name: string, model: string, tools: CodexTools): Agent => ({
  name,
  package: '@openai/codex@0.171.0',
  binary: 'codex',
  files: ({ url }) => ({
    '.codex/config.toml': [
      `model = "${model}"`,
      'model_provider = "tollgate"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[model_providers.tollgate]',
      'name = "tollgate"',
      `base_url = "${url}/v1"`,
      'env_key = "TOLLGATE_KEY"',
      'wire_api = "responses"',
    ].join('\n'),
  }),
  env: ({ key, home }) => ({ TOLLGATE_KEY: key, CODEX_HOME: join(home, '.codex') }),
  args: (prompt, turn) => [
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    ...(turn === 1 ? [prompt] : ['resume', '--last', prompt]),
  ],
  ...tools,
})

export const AGENTS: readonly Agent[] = [
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code@2.1.332',
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
    args: (prompt, turn) => ['-p', prompt, '--allowedTools', 'Read', 'Write', ...(turn === 1 ? [] : ['--continue'])],
    readFile: ({ tools }, file) => (tools.includes('Read') ? { id: 'toolu_read_1', name: 'Read', input: { file_path: file } } : undefined),
    writeFile: ({ tools }, file, text) =>
      tools.includes('Write') ? { id: 'toolu_write_1', name: 'Write', input: { file_path: file, content: text } } : undefined,
  },
  codex('codex', 'gpt-5.5', CODEX_TOOLS),
  codex('codex-code', 'gpt-6.2-sol', CODEX_CODE),
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
    writeFile: ({ tools }, file, text) =>
      tools.includes('write_file') ? { id: 'call_write_1', name: 'write_file', input: { file_path: file, content: text } } : undefined,
  },
  {
    name: 'opencode',
    package: 'opencode-ai@1.18.33',
    binary: 'opencode',
    files: ({ url, key }) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: `tollgate/${CHAT}`,
        small_model: `tollgate/${CHAT}`,
        permission: { edit: 'allow', bash: 'allow' },
        provider: {
          tollgate: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Tollgate',
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: { [CHAT]: { limit: { context: 128_000, output: 8192 } } },
          },
        },
      }),
    }),
    env: ({ home }) => ({ XDG_DATA_HOME: join(home, 'data'), XDG_CONFIG_HOME: join(home, '.config'), OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    args: (prompt, turn) => ['run', ...(turn === 1 ? [] : ['--continue']), prompt],
    readFile: ({ tools }, file) => (tools.includes('read') ? { id: 'call_read_1', name: 'read', input: { filePath: file } } : undefined),
    writeFile: ({ tools }, file, text) =>
      tools.includes('write') ? { id: 'call_write_1', name: 'write', input: { filePath: file, content: text } } : undefined,
  },
]
