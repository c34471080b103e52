#!/usr/bin/env bash
# The two common sets of OpenTelemetry instrumentations count one streamed call by language. Chat: @traceloop/instrumentation-openai (npm) 0.27.0
# and @arizeai/openinference-instrumentation-openai (npm) 4.2.7 do not read the usage chunk that the call asked for; both projects' packages for
# Python do. Messages: opentelemetry-instrumentation-anthropic (PyPI) 0.62.4 adds the output tokens of the first event to the total of the last
# and counts cached tokens as input, the same project's @traceloop/instrumentation-anthropic (npm) 0.27.0 does neither. A bill and traces that
# differ need not mean that the gateway is wrong.
# Seen, for 100 input tokens, 40 of them cached, and 30 of output: chat whole 100/30 in all four, streamed 100/30 in Python and nothing in Node;
# messages: Traceloop for Python whole 100/30 and streamed 100/31, for Node 60/30 in both, OpenInference for Python 100/30 in both.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @traceloop/instrumentation-openai@0.27.0 @traceloop/instrumentation-anthropic@0.27.0 \
  @arizeai/openinference-instrumentation-openai@4.2.7 @opentelemetry/api@1 @opentelemetry/sdk-trace-base@2 openai@6.49.0 @anthropic-ai/sdk@0.71.0 >/dev/null
python3 -m venv env >/dev/null
./env/bin/pip install --quiet --disable-pip-version-check openai==3.57.0 anthropic==2.14.0 opentelemetry-sdk opentelemetry-instrumentation-openai==0.62.4 \
  opentelemetry-instrumentation-anthropic==0.62.4 openinference-instrumentation-openai==0.1.66 openinference-instrumentation-anthropic==3.1.0
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
const usage = { prompt_tokens: 100, completion_tokens: 30, total_tokens: 130, prompt_tokens_details: { cached_tokens: 40 } }
const input = { input_tokens: 60, cache_read_input_tokens: 40, cache_creation_input_tokens: 0 }
const message = { id: 'm', type: 'message', role: 'assistant', model: 'x' }
const EVENTS = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage: { ...input, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { ...input, output_tokens: 30 } },
  { type: 'message_stop' },
]
const WHOLE = { ...message, content: [{ type: 'text', text: 'hello' }], stop_reason: 'end_turn', stop_sequence: null, usage: { ...input, output_tokens: 30 } }
const head = { id: 'c', created: 1, model: 'x' }
const chunk = (choices, more) => `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`
const said = (delta, finish_reason = null) => [{ index: 0, delta, finish_reason }]
createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += part)).on('end', () => {
    const { stream, stream_options } = JSON.parse(body)
    const isChat = request.url.endsWith('/chat/completions')
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
    if (!isChat) return response.end(stream ? EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('') : JSON.stringify(WHOLE))
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
    if (!stream) return response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }))
    const last = stream_options?.include_usage ? chunk([], { usage }) : ''
    response.end(chunk(said({ role: 'assistant', content: 'hello' })) + chunk(said({}, 'stop')) + last + 'data: [DONE]\n\n')
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
JS
node server.mjs > port & server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
cat > try.cjs <<'JS'
const assert = require('node:assert/strict')
const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base')
const base = `http://127.0.0.1:${process.argv[2]}`
const messages = [{ role: 'user', content: 'hi' }]
const exporter = new InMemorySpanExporter()
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
/** The tracers of a process wrap the same class, so each gets its own copy of the SDK. */
const fresh = (name) => {
  for (const path of Object.keys(require.cache)) if (path.includes(`/node_modules/${name}/`)) delete require.cache[path]
  return require(name)
}
const countOf = async (create) => {
  exporter.reset()
  const answer = await create()
  if (Symbol.asyncIterator in answer) for await (const _ of answer);
  await new Promise((resolve) => setImmediate(resolve))
  const [{ attributes }] = exporter.getFinishedSpans()
  const input = attributes['gen_ai.usage.input_tokens'] ?? attributes['llm.token_count.prompt']
  return input === undefined ? 'none' : `${input}/${attributes['gen_ai.usage.output_tokens'] ?? attributes['llm.token_count.completion']}`
}
const chatWith = async (instrumentation) => {
  const sdk = fresh('openai')
  instrumentation.setTracerProvider(tracerProvider)
  instrumentation.manuallyInstrument(instrumentation.instrumentationName.startsWith('@traceloop') ? sdk.OpenAI : sdk)
  const client = new sdk.OpenAI({ apiKey: 'x', baseURL: `${base}/v1` })
  const create = (more) => countOf(() => client.chat.completions.create({ model: 'x', messages, ...more }))
  return [await create({}), await create({ stream: true, stream_options: { include_usage: true } })]
}
const messagesWith = async (instrumentation) => {
  const sdk = fresh('@anthropic-ai/sdk')
  instrumentation.setTracerProvider(tracerProvider)
  instrumentation.manuallyInstrument(sdk)
  const client = new sdk.Anthropic({ apiKey: 'x', baseURL: base })
  const create = (more) => countOf(() => client.messages.create({ model: 'x', max_tokens: 9, messages, ...more }))
  return [await create({}), await create({ stream: true })]
}
const off = { enabled: false }
void (async () => {
  const seen = {
    traceloop: await chatWith(new (require('@traceloop/instrumentation-openai').OpenAIInstrumentation)(off)),
    openinference: await chatWith(new (require('@arizeai/openinference-instrumentation-openai').OpenAIInstrumentation)({ instrumentationConfig: off })),
    traceloopMessages: await messagesWith(new (require('@traceloop/instrumentation-anthropic').AnthropicInstrumentation)(off)),
  }
  console.log('node', seen)
  const expected = { traceloop: ['100/30', 'none'], openinference: ['100/30', 'none'], traceloopMessages: ['60/30', '60/30'] }
  assert.deepEqual(seen, expected, 'the behaviour has changed')
})()
JS
cat > try.py <<'PY'
import sys
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
base, project = f'http://127.0.0.1:{sys.argv[1]}', sys.argv[2]
if project == 'traceloop':
    from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor
else:
    from openinference.instrumentation.anthropic import AnthropicInstrumentor
    from openinference.instrumentation.openai import OpenAIInstrumentor
exporter = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
for one in (OpenAIInstrumentor, AnthropicInstrumentor):
    one().instrument(tracer_provider=provider)
import anthropic, openai
chat = openai.OpenAI(api_key='x', base_url=f'{base}/v1').chat.completions.create
messages = anthropic.Anthropic(api_key='x', base_url=base).messages.create
prompt = {'model': 'x', 'messages': [{'role': 'user', 'content': 'hi'}]}

def count_of(create, **more):
    exporter.clear()
    answer = create(**prompt, **more)
    if more.get('stream'):
        for _ in answer:
            pass
    found = exporter.get_finished_spans()[0].attributes
    return '/'.join(str(found.get(ours, found.get(theirs))) for ours, theirs in (
        ('gen_ai.usage.input_tokens', 'llm.token_count.prompt'), ('gen_ai.usage.output_tokens', 'llm.token_count.completion')))

seen = {
    'chat': [count_of(chat), count_of(chat, stream=True, stream_options={'include_usage': True})],
    'messages': [count_of(messages, max_tokens=9), count_of(messages, max_tokens=9, stream=True)],
}
print('python', project, seen)
last = '100/31' if project == 'traceloop' else '100/30'
assert seen == {'chat': ['100/30', '100/30'], 'messages': ['100/30', last]}, 'the behaviour has changed'
PY
node try.cjs "$(cat port)"
for project in traceloop openinference; do ./env/bin/python -W ignore try.py "$(cat port)" "$project"; done
