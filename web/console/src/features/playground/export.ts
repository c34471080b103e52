import type { ChatMessage } from './messages.ts'

/** Saves a conversation as a JSON file. */
export function saveAsFile(messages: readonly ChatMessage[]): void {
  const said = messages.map(({ role, content, createAt, facts }) => ({
    role,
    content,
    createAt,
    ...(facts === undefined ? {} : { facts }),
  }))
  const address = URL.createObjectURL(new Blob([JSON.stringify(said, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'conversation.json'
  link.click()
  URL.revokeObjectURL(address)
}
