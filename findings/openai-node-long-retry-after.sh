#!/usr/bin/env bash
# openai (npm) 7.57.0: `Retry-After: 61` is ignored, and the request is repeated after about half a second; `Retry-After: 2` is obeyed.
# A gateway that asks for more than a minute is asked again at once, unless it also sends `x-should-retry: false`.
# Seen: 2 s of waiting for 2, under 5 s for 61, and a single request with the second header.
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund openai@7.57.0 >/dev/null
cat > try.mjs <<'JS'
import { createServer } from 'node:http'
import OpenAI from 'openai'
const ask = async (headers) => {
  const times = []
  const server = createServer((_request, response) => {
    times.push(performance.now())
    const isFirst = times.length === 1
    response.writeHead(isFirst ? 429 : 200, { 'content-type': 'application/json', ...(isFirst ? headers : {}) })
    response.end(isFirst ? '{"error":{"message":"busy","type":"x","code":"y","param":null}}' : '{"object":"list","data":[]}')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = new OpenAI({ apiKey: 'x', baseURL: `http://127.0.0.1:${server.address().port}/v1`, maxRetries: 1 })
  await client.models.list().catch(() => undefined)
  server.closeAllConnections(); server.close()
  return { requests: times.length, waited_s: times.length > 1 ? (times[1] - times[0]) / 1000 : undefined }
}
const short = await ask({ 'retry-after': '2' })
const long = await ask({ 'retry-after': '61' })
const told = await ask({ 'retry-after': '61', 'x-should-retry': 'false' })
console.log({ short, long, told })
if (!(short.waited_s >= 1.9)) throw new Error('a short wait is no longer obeyed')
if (!(long.requests === 2 && long.waited_s < 5)) throw new Error('a wait above a minute is obeyed now')
if (told.requests !== 1) throw new Error('x-should-retry: false no longer stops it')
JS
node try.mjs
