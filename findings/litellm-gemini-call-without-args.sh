#!/usr/bin/env bash
# litellm (PyPI) 1.110.2: a Gemini `functionCall` without `args`, which JSON of protocol buffers leaves out when a tool takes none, ends the whole
# answer and the stream with an error although the answer has status 200; @google/genai (npm) 3.3.0 takes it. A gateway that speaks Gemini's
# format has to write `args: {}`.
# Seen: without args LiteLLM raises in both forms, with {} it gives one call with "{}"; @google/genai gives one call either way.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @google/genai@3.3.0 >/dev/null
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check litellm==1.110.2
cat > server.mjs <<'JS'
import { createServer } from 'node:http'
createServer((request, response) => {
  const functionCall = { name: 'ping', ...(request.url.includes('with-args') ? { args: {} } : {}) }
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 }
  const answer = { candidates: [{ index: 0, content: { role: 'model', parts: [{ functionCall }] }, finishReason: 'STOP' }], usageMetadata }
  request.resume().on('end', () => {
    const isStream = request.url.includes('streamGenerateContent')
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    response.end(isStream ? `data: ${JSON.stringify(answer)}\r\n\r\n` : JSON.stringify(answer))
  })
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })
JS
node server.mjs > port & server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
cat > try.mjs <<'JS'
import assert from 'node:assert/strict'
import { GoogleGenAI } from '@google/genai'
const { models } = new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl: `http://127.0.0.1:${process.argv[2]}` } })
const seen = {}
for (const model of ['with-args', 'no-args']) seen[model] = (await models.generateContent({ model, contents: 'hi' })).functionCalls.length
console.log('node', seen)
assert.deepEqual(seen, { 'with-args': 1, 'no-args': 1 }, 'the behaviour has changed')
JS
cat > try.py <<'PY'
import sys
import litellm
litellm.suppress_debug_info = True
tools = [{'type': 'function', 'function': {'name': 'ping', 'parameters': {'type': 'object', 'properties': {}}}}]
def ask(model, is_stream):
    base = f'http://127.0.0.1:{sys.argv[1]}/v1beta'
    more = {'tools': tools, 'stream': is_stream, 'num_retries': 0}
    try:
        answer = litellm.completion(model=f'gemini/{model}', api_base=base, api_key='x', messages=[{'role': 'user', 'content': 'hi'}], **more)
        answer = litellm.stream_chunk_builder(list(answer)) if is_stream else answer
        return answer.choices[0].message.tool_calls[0].function.arguments
    except Exception as error:
        return f"raised about 'args': {'args' in str(error)}"
seen = {model: [ask(model, False), ask(model, True)] for model in ('with-args', 'no-args')}
print('litellm', seen)
assert seen == {'with-args': ['{}', '{}'], 'no-args': ["raised about 'args': True"] * 2}, 'the behaviour has changed'
PY
node try.mjs "$(cat port)"; LITELLM_LOCAL_MODEL_COST_MAP=True ./env/bin/python try.py "$(cat port)" 2>/dev/null
