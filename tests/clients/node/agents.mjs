// The OpenAI Agents SDK, whose loop takes both turns of the tools itself.
import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, run, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'
import { ASK, checkErrors, IMAGE_URL, KEY, URL, user, weather } from './common.mjs'

setTracingDisabled(true)
const City = z.object({ city: z.string() })

function client(Model, modelSettings) {
  return (model) => {
    const agent = (more, name = model, apiKey = KEY) =>
      new Agent({ name: 'client', model: new Model(new OpenAI({ apiKey, baseURL: `${URL}/v1`, maxRetries: 0 }), name), ...more })
    const ask = (given, more, name, key) => run(agent(more, name, key), given)
    const stream = async (text) => {
      const streamed = await run(agent(), text, { stream: true })
      let answered = ''
      for await (const piece of streamed.toTextStream()) answered += piece
      await streamed.completed
      return { answered, streamed }
    }
    const pair = ({ rawResponses }) => [rawResponses[0].usage.inputTokens, rawResponses[0].usage.outputTokens]
    return {
      chat: async () => (await ask(ASK.chat)).finalOutput,
      stream: async () => (await stream(ASK.chat)).answered,
      usage: async () => [pair(await ask(ASK.chat)), pair((await stream(ASK.chat)).streamed)],
      tools: async () => {
        const tools = [tool({ name: 'weather', description: 'The weather.', parameters: City, execute: async (input) => weather(input) })]
        return (await ask(ASK.tools, { tools })).finalOutput
      },
      schema: async () => (await ask(ASK.schema, { outputType: City })).finalOutput,
      image: async () => {
        const content = [
          { type: 'input_text', text: ASK.image },
          { type: 'input_image', image: IMAGE_URL },
        ]
        return (await ask([user(content)])).finalOutput
      },
      reasoning: async () => {
        const first = await ask(ASK.think, { modelSettings })
        const thought = first.rawResponses.flatMap(({ output }) =>
          output.flatMap((item) =>
            item.type === 'reasoning' ? [...item.content, ...(item.rawContent ?? [])].map(({ text }) => text) : [],
          ),
        )
        return [thought.join('') || undefined, (await ask([...first.history, user(ASK.again)], { modelSettings })).finalOutput]
      },
      errors: () =>
        checkErrors({
          ask: ({ text, model: name, key }) => ask(text, {}, name, key),
          stream: ({ text }) => stream(text),
          statusOf: (error) => (error instanceof OpenAI.APIError ? error.status : undefined),
        }),
    }
  }
}

export const AGENTS_CLIENTS = {
  'node @openai/agents (chat)': client(OpenAIChatCompletionsModel, { reasoning: { effort: 'low' } }),
  'node @openai/agents (responses)': client(OpenAIResponsesModel, { reasoning: { effort: 'low', summary: 'auto' } }),
}
