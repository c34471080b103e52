import type { Part } from './part.ts'

/** Streamed chats of the console, with the session's cookie instead of a token. */
export function createPlayground(model: string): Part {
  return {
    name: 'playground',
    about: 'a streamed chat with the session’s cookie; its end is read',
    pauseMs: 2500,
    act: async ({ user }) => {
      const messages = [{ role: 'user', content: 'What is the time of this day?' }]
      const text = await user.text('POST', '/pg/chat/completions', { model, group: 'default', stream: true, messages })
      if (!text.trimEnd().endsWith('data: [DONE]')) throw new Error(`a chat of the playground ended with ${text.slice(-100)}`)
    },
  }
}
