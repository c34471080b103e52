// The vendors' own SDKs.
import Anthropic from '@anthropic-ai/sdk'
import { createPartFromFunctionResponse, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { ASK, checkErrors, EXPECTED, IMAGE_URL, KEY, SCHEMA, URL, user, weather } from './common.mjs'

const listed = async (pages) => {
  const models = []
  for await (const model of pages) models.push(model)
  return models
}
const connectOpenAI = (apiKey) => new OpenAI({ apiKey, baseURL: `${URL}/v1`, maxRetries: 0 })

function openaiClient(model, sdk) {
  return {
    models: async () => (await listed(sdk.models.list())).map(({ id }) => id),
    embeddings: async () => (await sdk.embeddings.create({ model, input: ['one', 'two'] })).data.map(({ embedding }) => embedding),
  }
}

function chat(model) {
  const sdk = connectOpenAI(KEY)
  const create = (messages, more) => sdk.chat.completions.create({ model, messages, ...more })
  const ask = (text, name = model, key = KEY) => connectOpenAI(key).chat.completions.create({ model: name, messages: [user(text)] })
  const stream = (text) =>
    sdk.chat.completions.stream({ model, messages: [user(text)], stream_options: { include_usage: true } }).finalChatCompletion()
  const textOf = ({ choices }) => choices[0].message.content
  return {
    ...openaiClient(model, sdk),
    chat: async () => textOf(await ask(ASK.chat)),
    stream: async () => textOf(await stream(ASK.chat)),
    usage: async () => [await ask(ASK.chat), await stream(ASK.chat)].map(({ usage }) => [usage.prompt_tokens, usage.completion_tokens]),
    tools: async () => {
      const tools = [{ type: 'function', function: { name: 'weather', parameters: SCHEMA } }]
      const asked = (await create([user(ASK.tools)], { tools })).choices[0].message
      const results = asked.tool_calls.map(({ id, function: { arguments: given } }) => ({
        role: 'tool',
        tool_call_id: id,
        content: weather(JSON.parse(given)),
      }))
      return textOf(await create([user(ASK.tools), asked, ...results], { tools }))
    },
    schema: async () => {
      const response_format = { type: 'json_schema', json_schema: { name: 'city', schema: SCHEMA, strict: true } }
      return JSON.parse(textOf(await create([user(ASK.schema)], { response_format })))
    },
    image: async () =>
      textOf(
        await create([
          user([
            { type: 'text', text: ASK.image },
            { type: 'image_url', image_url: { url: IMAGE_URL } },
          ]),
        ]),
      ),
    reasoning: async () => {
      const first = (await create([user(ASK.think)], { reasoning_effort: 'low' })).choices[0].message
      return [first.reasoning_content, textOf(await create([user(ASK.think), first, user(ASK.again)], { reasoning_effort: 'low' }))]
    },
    errors: () =>
      checkErrors({
        ask: ({ text, model: name, key }) => ask(text, name, key),
        stream: ({ text }) => stream(text),
        statusOf: openaiStatus,
      }),
  }
}

const openaiStatus = (error) => (error instanceof OpenAI.APIError ? error.status : undefined)

function responses(model) {
  const sdk = connectOpenAI(KEY)
  const create = (input, more) => sdk.responses.create({ model, input, ...more })
  const ask = (input, name = model, key = KEY) => connectOpenAI(key).responses.create({ model: name, input })
  const stream = (input) => sdk.responses.stream({ model, input }).finalResponse()
  return {
    ...openaiClient(model, sdk),
    embeddings: undefined,
    chat: async () => (await ask(ASK.chat)).output_text,
    stream: async () => (await stream(ASK.chat)).output_text,
    usage: async () => [await ask(ASK.chat), await stream(ASK.chat)].map(({ usage }) => [usage.input_tokens, usage.output_tokens]),
    tools: async () => {
      const tools = [{ type: 'function', name: 'weather', parameters: SCHEMA, strict: false }]
      const asked = await create(ASK.tools, { tools })
      const results = asked.output.flatMap((item) =>
        item.type === 'function_call'
          ? [{ type: 'function_call_output', call_id: item.call_id, output: weather(JSON.parse(item.arguments)) }]
          : [],
      )
      return (await create(results, { tools, previous_response_id: asked.id })).output_text
    },
    schema: async () => {
      const format = { type: 'json_schema', name: 'city', schema: SCHEMA, strict: true }
      return JSON.parse((await create(ASK.schema, { text: { format } })).output_text)
    },
    image: async () => {
      const image = { type: 'input_image', image_url: IMAGE_URL, detail: 'auto' }
      return (await create([user([{ type: 'input_text', text: ASK.image }, image])])).output_text
    },
    reasoning: async () => {
      const more = { reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'], store: false }
      const first = await create([user(ASK.think)], more)
      const thought = first.output.flatMap((item) => (item.type === 'reasoning' ? item.summary.map(({ text }) => text) : [])).join('')
      return [thought, (await create([user(ASK.think), ...first.output, user(ASK.again)], more)).output_text]
    },
    errors: () =>
      checkErrors({
        ask: ({ text, model: name, key }) => ask(text, name, key),
        stream: ({ text }) => stream(text),
        statusOf: openaiStatus,
      }),
  }
}

function messages(model) {
  const connect = (apiKey) => new Anthropic({ apiKey, baseURL: URL, maxRetries: 0 })
  const sdk = connect(KEY)
  const create = (given, more) => sdk.messages.create({ model, max_tokens: 500, messages: given, ...more })
  const ask = (text, name = model, key = KEY) => connect(key).messages.create({ model: name, max_tokens: 500, messages: [user(text)] })
  const stream = (text) => sdk.messages.stream({ model, max_tokens: 500, messages: [user(text)] }).finalMessage()
  const textOf = ({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
  return {
    models: async () => (await listed(sdk.models.list())).map(({ id }) => id),
    chat: async () => textOf(await ask(ASK.chat)),
    stream: async () => textOf(await stream(ASK.chat)),
    usage: async () => [await ask(ASK.chat), await stream(ASK.chat)].map(({ usage }) => [usage.input_tokens, usage.output_tokens]),
    tools: async () => {
      const tools = [{ name: 'weather', input_schema: SCHEMA }]
      const { content } = await create([user(ASK.tools)], { tools })
      const results = content.flatMap((block) =>
        block.type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: block.id, content: weather(block.input) }] : [],
      )
      return textOf(await create([user(ASK.tools), { role: 'assistant', content }, user(results)], { tools }))
    },
    schema: async () => {
      const output_config = { format: { type: 'json_schema', schema: SCHEMA } }
      return JSON.parse(textOf(await create([user(ASK.schema)], { output_config })))
    },
    image: async () => {
      const source = { type: 'base64', media_type: 'image/png', data: EXPECTED.pixel }
      return textOf(
        await create([
          user([
            { type: 'image', source },
            { type: 'text', text: ASK.image },
          ]),
        ]),
      )
    },
    reasoning: async () => {
      const more = { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 4000 }
      const { content } = await create([user(ASK.think)], more)
      const thought = content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join('')
      return [thought, textOf(await create([user(ASK.think), { role: 'assistant', content }, user(ASK.again)], more))]
    },
    errors: () =>
      checkErrors({
        ask: ({ text, model: name, key }) => ask(text, name, key),
        stream: ({ text }) => stream(text),
        statusOf: (error) => (error instanceof Anthropic.APIError ? error.status : undefined),
      }),
  }
}

function gemini(model) {
  const connect = (apiKey) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: URL } })
  const sdk = connect(KEY)
  const ask = (contents, config, name = model, key = KEY) => connect(key).models.generateContent({ model: name, contents, config })
  const stream = async (contents) => await listed(await sdk.models.generateContentStream({ model, contents }))
  const turn = (text) => ({ role: 'user', parts: [{ text }] })
  const textOf = (chunks) => chunks.map(({ text }) => text ?? '').join('')
  return {
    models: async () => (await listed(await sdk.models.list())).map(({ name }) => name.replace('models/', '')),
    chat: async () => (await ask(ASK.chat)).text,
    stream: async () => textOf(await stream(ASK.chat)),
    usage: async () =>
      [await ask(ASK.chat), (await stream(ASK.chat)).at(-1)].map(({ usageMetadata }) => [
        usageMetadata.promptTokenCount,
        usageMetadata.candidatesTokenCount,
      ]),
    tools: async () => {
      const config = { tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: SCHEMA }] }] }
      const first = await ask(ASK.tools, config)
      const parts = first.functionCalls.map(({ id, name, args }) =>
        createPartFromFunctionResponse(id ?? '', name, { result: weather(args) }),
      )
      return (await ask([turn(ASK.tools), first.candidates[0].content, { role: 'user', parts }], config)).text
    },
    schema: async () => JSON.parse((await ask(ASK.schema, { responseMimeType: 'application/json', responseJsonSchema: SCHEMA })).text),
    image: async () => (await ask([{ inlineData: { mimeType: 'image/png', data: EXPECTED.pixel } }, { text: ASK.image }])).text,
    reasoning: async () => {
      const config = { thinkingConfig: { includeThoughts: true } }
      const { content } = (await ask(ASK.think, config)).candidates[0]
      const thought = content.parts.flatMap((part) => (part.thought ? [part.text] : [])).join('')
      return [thought, (await ask([turn(ASK.think), content, turn(ASK.again)], config)).text]
    },
    errors: () =>
      checkErrors({
        ask: ({ text, model: name, key }) => ask(text, undefined, name, key),
        stream: ({ text }) => stream(text),
        statusOf: (error) => error?.status,
      }),
    embeddings: async () => (await sdk.models.embedContent({ model, contents: ['one', 'two'] })).embeddings.map(({ values }) => values),
  }
}

export const SDK_CLIENTS = {
  'node openai (chat)': chat,
  'node openai (responses)': responses,
  'node @anthropic-ai/sdk': messages,
  'node @google/genai': gemini,
}
