#!/usr/bin/env bash
# google-genai (PyPI) 3.6.1: `files.upload` sends the API key with the request that begins an upload, but not with the chunks, which go to the
# address that the server answered; @google/genai (npm) 3.3.0 sends the key with both. A gateway that identifies every request by its key
# works with the client for Node and refuses that for Python: the address itself must authorise.
# Seen: Python "start: key, upload: no key", Node "start: key, upload: key".
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund @google/genai@3.3.0 >/dev/null
python3 -m venv env >/dev/null; ./env/bin/pip install --quiet --disable-pip-version-check google-genai==3.6.1
cat > try.py <<'PY'
import io, sys
from google import genai
client = genai.Client(api_key='the-key', http_options={'base_url': sys.argv[1]})
client.files.upload(file=io.BytesIO(b'hello'), config={'mime_type': 'text/plain'})
PY
cat > try.mjs <<'JS'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { GoogleGenAI } from '@google/genai'
let seen = []
const server = createServer((request, response) => {
  const command = request.headers['x-goog-upload-command'] ?? ''
  const kind = command === 'start' ? 'start' : 'upload'
  seen.push(`${kind}: ${request.headers['x-goog-api-key'] === 'the-key' ? 'key' : 'no key'}`)
  const url = `${base}/upload/v1beta/files?upload_id=1`
  const headers = kind === 'start' ? { 'x-goog-upload-url': url, 'x-goog-upload-status': 'active' } : { 'x-goog-upload-status': 'final' }
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(kind === 'start' ? {} : { file: { name: 'files/abc', uri: `${base}/v1beta/files/abc` } }))
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${server.address().port}`
await new Promise((resolve, reject) => execFile('env/bin/python', ['try.py', base], (error) => (error ? reject(error) : resolve())))
const python = seen.join(', ')
seen = []
await new GoogleGenAI({ apiKey: 'the-key', httpOptions: { baseUrl: base } }).files.upload({ file: new Blob(['hello'], { type: 'text/plain' }) })
const node = seen.join(', ')
server.closeAllConnections(); server.close()
console.log({ python, node })
if (python !== 'start: key, upload: no key') throw new Error('the behaviour of the client for Python has changed')
if (node !== 'start: key, upload: key') throw new Error('the behaviour of the client for Node has changed')
JS
node try.mjs
