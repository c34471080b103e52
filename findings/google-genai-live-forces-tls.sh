#!/usr/bin/env bash
# google-genai (PyPI) 3.6.1: `live.connect` opens its WebSocket with TLS whatever the base address says, so that a gateway at an http address
# is reached by every other call of the same client and not by this one; @google/genai (npm) 3.3.0 follows the scheme, and writes two slashes
# before the path. The gateway needs TLS in front of it for live sessions of the client for Python.
# Seen: Python "TLS", Node "GET //ws/google.ai.generativelanguage.v1.GenerativeService.BidiGenerateContent?key=the-key".
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @google/genai@3.3.0 >/dev/null
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check google-genai==3.6.1
cat > try.py <<'PY'
import asyncio, sys
from google import genai
async def main():
    client = genai.Client(api_key='the-key', http_options={'base_url': sys.argv[1]})
    try:
        async with client.aio.live.connect(model='m', config={}):
            pass
    except Exception:
        pass
asyncio.run(main())
PY
cat > try.mjs <<'JS'
import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { GoogleGenAI } from '@google/genai'
const TLS_HANDSHAKE = 0x16
let seen = ''
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', (data) => {
    seen = data[0] === TLS_HANDSHAKE ? 'TLS' : data.toString().split(' HTTP')[0]
    socket.destroy()
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${server.address().port}`
await new Promise((resolve) => execFile('env/bin/python', ['-W', 'ignore', 'try.py', base], resolve))
const python = seen
seen = ''
const client = new GoogleGenAI({ apiKey: 'the-key', httpOptions: { baseUrl: base } })
await client.live.connect({ model: 'm', callbacks: { onmessage: () => undefined } }).catch(() => undefined)
const node = seen
server.close()
console.log({ python, node })
if (python !== 'TLS') throw new Error('the behaviour of the client for Python has changed')
const expected = 'GET //ws/google.ai.generativelanguage.v1.GenerativeService.BidiGenerateContent?key=the-key'
if (node !== expected) throw new Error('the behaviour of the client for Node has changed')
JS
node try.mjs
