import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { QueryInt, textOf } from '../values/common-schemas.ts'

const MB = 1024 * 1024
/** Limit of vendors for one recording. */
export const MAX_RECORDING = 25 * MB

/** Largest value of a serial column. */
const MAX_ID = 2 ** 31 - 1

/** Which model is asked, as which group, and for administrators through which channel. */
const target = { model: textOf(500), group: textOf(200), channel: z.int().min(1).max(MAX_ID).optional() }

/** Other fields are forwarded as they are. */
export const PlaygroundBody = z.looseObject({
  ...target,
  /** Only role, content and what tools need are forwarded; the console's ids and times are not. */
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })).default([]),
  stream: z.boolean().optional(),
  /** 0: no limit. */
  max_tokens: z.int().optional(),
  temperature: z.number().optional(),
})
export type PlaygroundBody = z.infer<typeof PlaygroundBody>

export const PlaygroundImage = z.object({
  ...target,
  prompt: textOf(32_000),
  size: textOf(40),
  quality: textOf(40),
  n: z.int().min(1).max(4).default(1),
})
export type PlaygroundImage = z.infer<typeof PlaygroundImage>

export const PlaygroundSpeech = z.object({
  ...target,
  input: textOf(8_000),
  voice: textOf(100),
  response_format: z.enum(['mp3', 'wav', 'opus', 'aac', 'flac']).default('mp3'),
  speed: z.number().min(0.25).max(4).default(1),
})
export type PlaygroundSpeech = z.infer<typeof PlaygroundSpeech>

/** Beside the recording, which is the body itself. */
export const PlaygroundRecording = z.object({
  model: textOf(500),
  group: textOf(200),
  channel: QueryInt,
  file_name: textOf(200),
  /** ISO code; empty: the model finds it. */
  language: textOf(20),
})
export type PlaygroundRecording = z.infer<typeof PlaygroundRecording>

export const playground = {
  /** Forwards the relay's stream unchanged; errors in the OpenAI shape. */
  chat: endpoint({
    method: 'POST',
    path: '/pg/chat/completions',
    access: 'user',
    right: 'playground.use',
    summary: 'A chat from the console, charged to the wallet',
    body: PlaygroundBody,
    bodyLimit: 16 * MB,
  }),
  image: endpoint({
    method: 'POST',
    path: '/pg/images/generations',
    access: 'user',
    right: 'playground.use',
    summary: 'A picture from the console, charged to the wallet (ours)',
    body: PlaygroundImage,
  }),
  speech: endpoint({
    method: 'POST',
    path: '/pg/audio/speech',
    access: 'user',
    right: 'playground.use',
    summary: 'Text read aloud from the console, charged to the wallet (ours)',
    body: PlaygroundSpeech,
  }),
  /** The body is the recording, at most 25 MB. */
  transcription: endpoint({
    method: 'POST',
    path: '/pg/audio/transcriptions',
    access: 'user',
    right: 'playground.use',
    summary: 'The text of a recording from the console, charged to the wallet (ours)',
    query: PlaygroundRecording,
  }),
}
