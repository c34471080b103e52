import type { Client } from './client.ts'

/** The model for a first request: one that chats, and a small one of several, where the names tell. */
export function chatModelOf(models: readonly string[], preferred?: string | null): string {
  const isUsable = preferred !== undefined && preferred !== null && (models.length === 0 || models.includes(preferred))
  const chats = models.filter((model) => !OTHER_PURPOSE.test(model))
  if (isUsable && (chats.length === 0 || !OTHER_PURPOSE.test(preferred))) return preferred
  return chats.find((model) => SMALL.test(model)) ?? chats[0] ?? models[0] ?? ''
}

/** The model to propose for a client: one that the client is made for, where there is one. */
export function modelFor({ prefers }: Pick<Client, 'prefers'>, models: readonly string[]): string {
  const suited = models.filter((model) => prefers?.test(model) === true && !OTHER_PURPOSE.test(model))
  return suited[0] ?? chatModelOf(models)
}

const OTHER_PURPOSE =
  /embed|tts|whisper|transcribe|dall-e|image|rerank|moderation|speech|realtime|audio|babbage|davinci|instruct|^(mj|suno|sora|veo|bge|flux)[-_]/i
const SMALL = /mini|flash|haiku|lite/i
