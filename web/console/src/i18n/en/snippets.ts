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
  'note-cherry-studio': 'In Cherry Studio, open Settings → Model Provider, add a provider and enter these values.',
  'request-waiting': 'Waiting for the first request…',
  'request-arrived': 'It arrived! {{model}} has answered your first request.',
  'see-why': 'See what it cost',
} as const satisfies Texts<typeof zh>
