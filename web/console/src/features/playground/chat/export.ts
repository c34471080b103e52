import type { ChatMessage } from './messages.ts'

/** Saves a conversation as a JSON file. */
export function saveAsFile(messages: readonly ChatMessage[]): void {
  const said = messages.map(({ id: _id, status: _status, isBreak: _isBreak, ...message }) => message)
  saveFile(new Blob([JSON.stringify(said, null, 2)], { type: 'application/json' }), 'conversation.json')
}

export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
