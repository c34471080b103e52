#!/usr/bin/env bash
# opencode-ai (npm) 1.18.33: `{env:NAME}` in opencode.json is replaced in the text of the file, before it is read as JSON, and the value is
# not escaped; `{file:…}` is. A key or model name with a backslash arrives changed, and one with a quote makes the whole file unreadable.
# Seen: for `a\tb` {env:…} gives a tab between a and b where {file:…} gives the backslash; for `a"b` {env:…} ends with "not valid JSON".
set -euo pipefail
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund opencode-ai@1.18.33 >/dev/null
mkdir -p home/.config/opencode
cat > try.mjs <<'JS'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const HOME = `${process.cwd()}/home`
const read = (placeholder, value) => {
  writeFileSync(`${HOME}/.config/opencode/value.txt`, value)
  const provider = { npm: '@ai-sdk/openai-compatible', name: placeholder, options: { baseURL: 'http://127.0.0.1:9/v1' }, models: { m: {} } }
  writeFileSync(`${HOME}/.config/opencode/opencode.json`, JSON.stringify({ provider: { p: provider } }))
  const env = { PATH: process.env.PATH, HOME, VALUE: value, OPENCODE_DISABLE_MODELS_FETCH: '1', NO_COLOR: '1' }
  const { stdout, stderr } = spawnSync('node_modules/.bin/opencode', ['debug', 'config'], { env, encoding: 'utf8', timeout: 60_000 })
  const json = stdout.slice(stdout.indexOf('{'))
  return stderr.includes('not valid JSON') ? 'not valid JSON' : JSON.parse(json).provider.p.name
}
const seen = { plain: read('{env:VALUE}', 'a-b'), env: read('{env:VALUE}', 'a\\tb'), file: read('{file:./value.txt}', 'a\\tb'), quote: read('{env:VALUE}', 'a"b') }
console.log(seen)
if (seen.plain !== 'a-b') throw new Error('{env:…} is not replaced any more')
if (seen.file !== 'a\\tb') throw new Error('{file:…} is not escaped any more')
if (seen.env !== 'a\tb' || seen.quote !== 'not valid JSON') throw new Error('{env:…} is escaped now')
JS
node try.mjs
