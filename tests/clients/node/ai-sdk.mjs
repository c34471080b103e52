// The Vercel AI SDK with each of its providers.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, embedMany, generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai'
import { ASK, checkErrors, EXPECTED, KEY, SCHEMA, URL, user, weather } from './common.mjs'

const isTyped = (error) => (APICallError.isInstance(error) ? error.statusCode : undefined)

const toError = (thrown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))

function client({ modelOf, embeddingOf, options }) {
  return (model) => {
    const ask = (given, name = model, key = KEY) =>
      generateText({ model: modelOf(name, key), maxRetries: 0, ...(typeof given === 'string' ? { prompt: given } : given) })
    const stream = async (text) => {
      let failure
      const result = streamText({ model: modelOf(model, KEY), prompt: text, maxRetries: 0, onError: ({ error }) => (failure = error) })
      let answered = ''
      for await (const piece of result.textStream) answered += piece
      if (failure !== undefined) throw toError(failure)
      return { answered, usage: await result.usage }
    }
    return {
      chat: async () => (await ask(ASK.chat)).text,
      stream: async () => (await stream(ASK.chat)).answered,
      usage: async () =>
        [(await ask(ASK.chat)).usage, (await stream(ASK.chat)).usage].map(({ inputTokens, outputTokens }) => [inputTokens, outputTokens]),
      tools: async () => {
        const tools = { weather: tool({ inputSchema: jsonSchema(SCHEMA), execute: async (input) => weather(input) }) }
        return (await ask({ prompt: ASK.tools, tools, stopWhen: isStepCount(3) })).text
      },
      schema: async () => (await ask({ prompt: ASK.schema, output: Output.object({ schema: jsonSchema(SCHEMA) }) })).output,
      image: async () => {
        const image = { type: 'file', mediaType: 'image/png', data: Buffer.from(EXPECTED.pixel, 'base64') }
        return (await ask({ messages: [user([{ type: 'text', text: ASK.image }, image])] })).text
      },
      reasoning: async () => {
        const first = await ask({ messages: [user(ASK.think)], providerOptions: options })
        const messages = [user(ASK.think), ...first.response.messages, user(ASK.again)]
        return [first.reasoningText, (await ask({ messages, providerOptions: options })).text]
      },
      errors: () =>
        checkErrors({ ask: ({ text, model: name, key }) => ask(text, name, key), stream: ({ text }) => stream(text), statusOf: isTyped }),
      ...(embeddingOf === undefined
        ? {}
        : { embeddings: async () => (await embedMany({ model: embeddingOf(model), values: ['one', 'two'], maxRetries: 0 })).embeddings }),
    }
  }
}

const openai = (apiKey) => createOpenAI({ apiKey, baseURL: `${URL}/v1` })
const google = (apiKey) => createGoogle({ apiKey, baseURL: `${URL}/v1beta` })
const compatible = (apiKey) =>
  createOpenAICompatible({ name: 'tollgate', apiKey, baseURL: `${URL}/v1`, includeUsage: true, supportsStructuredOutputs: true })

export const AI_SDK_CLIENTS = {
  'node ai (openai chat)': client({
    modelOf: (name, key) => openai(key).chat(name),
    embeddingOf: (name) => openai(KEY).embeddingModel(name),
  }),
  'node ai (openai responses)': client({
    modelOf: (name, key) => openai(key)(name),
    options: { openai: { forceReasoning: true, reasoningEffort: 'low', reasoningSummary: 'auto' } },
  }),
  'node ai (anthropic)': client({
    modelOf: (name, key) => createAnthropic({ apiKey: key, baseURL: `${URL}/v1` })(name),
    options: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
  }),
  'node ai (google)': client({
    modelOf: (name, key) => google(key)(name),
    embeddingOf: (name) => google(KEY).embeddingModel(name),
    options: { google: { thinkingConfig: { includeThoughts: true } } },
  }),
  'node ai (openai-compatible)': client({
    modelOf: (name, key) => compatible(key)(name),
    embeddingOf: (name) => compatible(KEY).embeddingModel(name),
    options: { tollgate: { reasoningEffort: 'low' } },
  }),
}
