import type { Texts } from '../resources.ts'
import type { texts as zh } from '../zh/snippets.ts'

export const texts = {
  clients: 'Clients',
  'note-terminal': 'Run this in a terminal.',
  'note-python': 'Run {{install}} first, then this code.',
  'note-node': 'Run {{install}} first, then save this code as an .mjs file and run it.',
  'note-claude-code':
    'Add this to the file below, then start claude. CLAUDE_CODE_MAX_CONTEXT_TOKENS is the context window of a model that Claude Code does not know: enter its own. Claude Code shortens long conversations by it.',
  'note-codex':
    'Add this to the file below, set the key in your terminal, then start codex. model_context_window is the context window of a model that Codex does not know: enter its own.',
  'note-gemini-cli':
    'Add this to the file below, then run the commands. Without -m, Gemini CLI asks a flash-lite model first, so the token then needs flash-lite, flash and pro models.',
  'note-opencode':
    'Add this to the file below, then start opencode. Enter the context window and the longest output of your model: OpenCode shortens long conversations by them. It also asks small_model for a title of each conversation.',
  'note-cursor':
    'In Cursor, open Settings → Models → API Keys and enter these values. Cursor’s servers must be able to reach this address.',
  'note-cherry-studio':
    'Import the provider by the button, or open Settings → Model Provider in Cherry Studio, add a provider and enter these values. Add the model itself in both cases.',
  'note-cline': 'In VS Code, enter these values in the settings of Cline (gear icon). Its command line takes the command of the other tab.',
  'note-roo-code':
    'Save this as a file, then choose it in Roo Code under Settings → About → Import. Existing profiles stay, and this one becomes the current one. Enter the real values of your model for contextWindow and maxTokens.',
  'note-zed':
    'Add this to the file below (zed: open settings file in the command palette). The key is not in the file: enter it under Settings → AI → LLM Providers → Gateway, or set it as the environment variable GATEWAY_API_KEY. Enter the context window of your model for max_tokens.',
  'note-continue': 'Add the entry below models to the file, or save all of it if the file does not exist yet.',
  'note-open-webui':
    'Open Admin Panel → Settings → Connections, add an OpenAI API connection and enter these values. A new installation can take them from the environment variables below instead: they count at the first start only, and the settings of Open WebUI afterwards.',
  'note-librechat':
    'Add the entry below custom to librechat.yaml and the key to .env, then restart LibreChat. With Docker, librechat.yaml must be mounted into the container.',
  'note-dify':
    'In Dify, open Settings → Model Provider, install OpenAI-API-compatible, add a model and enter these values. The servers of Dify must be able to reach this address.',
  'note-cc-switch':
    'CC Switch writes the files of Claude Code, Codex and Gemini CLI for you. Open a link; it asks before it saves. The key is in the link, so do not pass it on.',
  'open-in': 'Open in {{name}}',
  'all-clients': 'More tools, and a test',
  'request-waiting': 'Waiting for the first request…',
  'request-arrived': 'It arrived! {{model}} has answered your first request.',
  'see-why': 'See what it cost',
} as const satisfies Texts<typeof zh>
