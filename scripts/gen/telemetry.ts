import { GEN_AI_ATTRIBUTES, GEN_AI_METRICS, GEN_AI_SCHEMA } from '../../libs/telemetry/src/gen-ai.ts'
import { code, page, table } from './markdown.ts'

export function renderTelemetry(): string {
  const attributes = Object.entries(GEN_AI_ATTRIBUTES).map(([name, about]) => [code(name), about])
  const metrics = Object.entries(GEN_AI_METRICS).map(([name, { description, unit }]) => [code(name), unit, description])
  return page({
    title: 'Telemetry of calls',
    about: `Declared in \`libs/telemetry/src/gen-ai.ts\`, by the conventions ${GEN_AI_SCHEMA}. With \`OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental\`, each attempt at a vendor is a client span below the span of its request, named by operation and model. The steps of a request (identify, read, admit, quote, reserve, dispatch, deliver, settle) are events of its span, each at the end of the step. Names beginning with \`tollgate.\` are the gateway’s own. Prompts and answers are recorded only where two switches are on, with the messages of the last attempt: of chats in the formats of OpenAI, Anthropic and Gemini, also of Responses over a WebSocket and Interactions; of realtime and live sessions, a turn at a time; and the prompts of tasks.`,
    parts: [
      `## Attributes of spans\n\n${table(['Attribute', 'Value'], attributes)}`,
      `## Metrics\n\n${table(['Histogram', 'Unit', 'What it measures'], metrics)}\n\nTheir attributes are \`gen_ai.operation.name\`, \`gen_ai.provider.name\`, \`gen_ai.request.model\` and, of failed attempts, \`error.type\`.`,
    ],
  })
}
