// LangChain for Node with each vendor's package.
import { ChatAnthropic } from '@langchain/anthropic'
import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from '@langchain/google-genai'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { z } from 'zod'
import { ASK, checkErrors, IMAGE_URL, KEY, URL, weather } from './common.mjs'

const City = z.object({ city: z.string() })

function client({ connect, thinking = {}, embeddings, more = {} }) {
  return (model) => {
    const chain = connect(model, KEY)
    const ask = (text, name = model, key = KEY) => connect(name, key).invoke([new HumanMessage(text)])
    const chunksOf = async (text) => {
      const chunks = []
      for await (const chunk of await chain.stream([new HumanMessage(text)])) chunks.push(chunk)
      return chunks
    }
    const pair = ({ input_tokens, output_tokens }) => [input_tokens, output_tokens]
    return {
      chat: async () => (await ask(ASK.chat)).text,
      stream: async () => (await chunksOf(ASK.chat)).map((chunk) => chunk.text).join(''),
      usage: async () => {
        const whole = (await ask(ASK.chat)).usage_metadata
        const streamed = (await chunksOf(ASK.chat)).reduce((sum, chunk) => sum.concat(chunk)).usage_metadata
        return [pair(whole), pair(streamed)]
      },
      tools: async () => {
        const bound = chain.bindTools([
          tool(async (input) => weather(input), { name: 'weather', description: 'The weather.', schema: City }),
        ])
        const asked = await bound.invoke([new HumanMessage(ASK.tools)])
        const results = asked.tool_calls.map(({ id, name, args }) => new ToolMessage({ content: weather(args), tool_call_id: id, name }))
        return (await bound.invoke([new HumanMessage(ASK.tools), asked, ...results])).text
      },
      schema: () => chain.withStructuredOutput(City).invoke(ASK.schema),
      image: async () => {
        const content = [
          { type: 'text', text: ASK.image },
          { type: 'image_url', image_url: { url: IMAGE_URL } },
        ]
        return (await chain.invoke([new HumanMessage({ content })])).text
      },
      reasoning: async () => {
        const thinker = connect(model, KEY, thinking)
        const first = await thinker.invoke([new HumanMessage(ASK.think)])
        const found = first.contentBlocks.filter(({ type }) => type === 'reasoning').map(({ reasoning }) => reasoning)
        const again = await thinker.invoke([new HumanMessage(ASK.think), first, new HumanMessage(ASK.again)])
        return [found.join('') || undefined, again.text]
      },
      errors: () =>
        checkErrors({
          ask: ({ text, model: name, key }) => ask(text, name, key),
          stream: ({ text }) => chunksOf(text),
          statusOf: (error) => error?.status ?? error?.statusCode,
        }),
      ...more,
      ...(embeddings === undefined ? {} : { embeddings: () => embeddings(model).embedDocuments(['one', 'two']) }),
    }
  }
}

const openai = (more) => (model, apiKey, thinking) =>
  new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration: { baseURL: `${URL}/v1` }, ...more, ...thinking })

export const LANGCHAIN_CLIENTS = {
  'node langchain (openai chat)': client({
    connect: openai({ useResponsesApi: false }),
    thinking: { reasoning: { effort: 'low' } },
    embeddings: (model) => new OpenAIEmbeddings({ model, apiKey: KEY, maxRetries: 0, configuration: { baseURL: `${URL}/v1` } }),
  }),
  'node langchain (openai responses)': client({
    connect: openai({ useResponsesApi: true }),
    thinking: { reasoning: { effort: 'low', summary: 'auto' } },
  }),
  'node langchain (anthropic)': client({
    connect: (model, apiKey, thinking) =>
      new ChatAnthropic({ model, apiKey, maxRetries: 0, maxTokens: 500, anthropicApiUrl: URL, ...thinking }),
    thinking: { thinking: { type: 'enabled', budget_tokens: 1024 }, maxTokens: 4000 },
  }),
  'node langchain (google-genai)': client({
    connect: (model, apiKey) => new ChatGoogleGenerativeAI({ model, apiKey, maxRetries: 0, baseUrl: URL }),
    // It refuses pictures itself unless the model has one of the names that it knows.
    more: { image: undefined },
    embeddings: (model) => new GoogleGenerativeAIEmbeddings({ model, apiKey: KEY, maxRetries: 0, baseUrl: URL }),
  }),
}
