import { anthropicSdk } from './anthropic-sdk.ts'
import { cherryStudio } from './cherry-studio.ts'
import { claudeCode } from './claude-code.ts'
import type { Client } from './client.ts'
import { codex } from './codex.ts'
import { curl } from './curl.ts'
import { cursor } from './cursor.ts'
import { geminiCli } from './gemini-cli.ts'
import { googleSdk } from './google-sdk.ts'
import { openAiSdk } from './openai-sdk.ts'
import { openCode } from './opencode.ts'

/** The clients that are shown beside a new key. */
export const COMMON_CLIENTS: readonly Client[] = [
  curl,
  openAiSdk,
  anthropicSdk,
  googleSdk,
  claudeCode,
  codex,
  geminiCli,
  openCode,
  cursor,
  cherryStudio,
]
