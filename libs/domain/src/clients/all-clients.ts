import { aider } from './aider.ts'
import { anthropicSdk } from './anthropic-sdk.ts'
import { ccSwitch } from './cc-switch.ts'
import { cherryStudio } from './cherry-studio.ts'
import { claudeCode } from './claude-code.ts'
import type { Client } from './client.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { continueDev } from './continue.ts'
import { curl } from './curl.ts'
import { cursor } from './cursor.ts'
import { dify } from './dify.ts'
import { geminiCli } from './gemini-cli.ts'
import { googleSdk } from './google-sdk.ts'
import { langChain } from './langchain.ts'
import { libreChat } from './librechat.ts'
import { llamaIndex } from './llama-index.ts'
import { openWebUi } from './open-webui.ts'
import { openAiSdk } from './openai-sdk.ts'
import { openCode } from './opencode.ts'
import { rooCode } from './roo-code.ts'
import { vercelAi } from './vercel-ai.ts'
import { zed } from './zed.ts'

/** Every client of the set-up page, by kind. */
export const ALL_CLIENTS: readonly Client[] = [
  claudeCode,
  codex,
  geminiCli,
  openCode,
  cline,
  rooCode,
  aider,
  cursor,
  continueDev,
  zed,
  cherryStudio,
  ccSwitch,
  openWebUi,
  libreChat,
  dify,
  curl,
  openAiSdk,
  anthropicSdk,
  googleSdk,
  langChain,
  llamaIndex,
  vercelAi,
]
