/** How a client is tried: its own program sends a request, or its own reader reads the files; others have no package. */
export type Tool =
  | {
      readonly kind: 'runs'
      readonly client: string
      readonly setup?: string
      readonly npm?: readonly string[]
      readonly pip?: readonly string[]
      /** Shell command after the set-up's own, or appended to its last line. */
      readonly command?: string
      readonly append?: string
      readonly env?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'reads'; readonly client: string; readonly npm: readonly string[] }

export const TOOLS: readonly Tool[] = [
  {
    kind: 'runs',
    client: 'claude-code',
    npm: ['@anthropic-ai/claude-code@2.1.332'],
    command: 'claude -p hi',
    env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1' },
  },
  { kind: 'runs', client: 'codex', npm: ['@openai/codex@0.171.0'], command: 'codex exec --skip-git-repo-check hi' },
  {
    kind: 'runs',
    client: 'gemini-cli',
    npm: ['@google/gemini-cli@0.61.0'],
    append: ' -p hi',
    env: { GEMINI_TELEMETRY_ENABLED: 'false', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  },
  {
    kind: 'runs',
    client: 'opencode',
    npm: ['opencode-ai@1.18.33'],
    command: 'opencode run hi',
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
  },
  { kind: 'runs', client: 'cline', setup: 'CLI', npm: ['cline@3.0.65'], command: 'cline --retries 1 --timeout 60 "say hi"' },
  {
    kind: 'runs',
    client: 'aider',
    pip: ['aider-chat==0.86.2'],
    append: ' --message hi --no-git --yes-always --no-check-update --no-show-model-warnings --analytics-disable',
  },
  { kind: 'runs', client: 'curl' },
  { kind: 'runs', client: 'openai', setup: 'Python', pip: ['openai==3.57.0'] },
  { kind: 'runs', client: 'openai', setup: 'Node', npm: ['openai@7.57.0'] },
  { kind: 'runs', client: 'anthropic', setup: 'Python', pip: ['anthropic==2.0.0'] },
  { kind: 'runs', client: 'anthropic', setup: 'Node', npm: ['@anthropic-ai/sdk@1.14.0'] },
  { kind: 'runs', client: 'gemini', setup: 'Python', pip: ['google-genai==3.6.1'] },
  { kind: 'runs', client: 'gemini', setup: 'Node', npm: ['@google/genai@3.3.0'] },
  { kind: 'runs', client: 'langchain', pip: ['langchain-openai==1.7.4'] },
  { kind: 'runs', client: 'llama-index', pip: ['llama-index-llms-openai-like==0.8.1'] },
  { kind: 'runs', client: 'vercel-ai', npm: ['ai@7.0.173', '@ai-sdk/openai-compatible@3.0.92'] },
  { kind: 'reads', client: 'continue', npm: ['@continuedev/config-yaml@1.42.0'] },
  { kind: 'reads', client: 'roo-code', npm: ['@roo-code/types@1.115.0'] },
  { kind: 'reads', client: 'librechat', npm: ['librechat-data-provider@0.8.524', 'js-yaml@4.1.1', 'dotenv@17.2.3'] },
]
