#!/usr/bin/env node
// Checks a receipt of Tollgate with nothing but Node (18 or later) and the published keys:
//
//   node verify-receipt.mjs receipt.jws https://gateway.example/.well-known/jwks.json
//   node verify-receipt.mjs receipt.jws keys.json
//   node verify-receipt.mjs receipt.jws keys.json --request request.json --answer answer.txt
//
// Prints the content and exits with 0 if the signature is right, else says why and exits with 1. A file may have several receipts, one a
// line; the first that is wrong ends it. With --request or --answer, the bytes of that file must have the hash of the one receipt.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const options = { request: { type: 'string' }, answer: { type: 'string' } }
const { positionals, values } = parseArgs({ options, allowPositionals: true })
const [file, keysFrom] = positionals
if (file === undefined || keysFrom === undefined)
  fail('usage: verify-receipt.mjs <file with receipts> <address or file of the keys> [--request <file>] [--answer <file>]')

const { keys } = await readKeys(keysFrom)
const lines = readFileSync(file, 'utf8').split(/\s+/).filter(Boolean)
if (lines.length === 0) fail('the file has no receipt')
const contents = lines.map((jws) => check(jws, keys))
for (const [part, path] of Object.entries(values)) {
  if (contents.length > 1) fail(`--${part} goes with one receipt, and the file has ${contents.length}`)
  compare(part, path, JSON.parse(contents[0]).bodies?.[part])
}
for (const content of contents) console.log(content)

async function readKeys(from) {
  if (!/^https?:/.test(from)) return JSON.parse(readFileSync(from, 'utf8'))
  const answer = await fetch(from)
  if (!answer.ok) fail(`${from} answers ${answer.status}`)
  return await answer.json()
}

/** A JWS in compact form: three parts in base64url, header, content and signature of the first two. */
function check(jws, keySet) {
  const [head, content, signature, ...more] = jws.split('.')
  if (signature === undefined || more.length > 0) fail('not a receipt: it has not three parts')
  const { alg, kid, typ, crit } = JSON.parse(Buffer.from(head, 'base64url').toString())
  // A header that asks for more than this script knows must be refused.
  if (crit !== undefined || typ !== 'tollgate-receipt+jws' || !['EdDSA', 'Ed25519'].includes(alg))
    fail('not a receipt: unknown kind of signature')
  const jwk = keySet.find((key) => key.kid === kid)
  if (jwk === undefined) fail(`signed by a key that the gateway does not publish: ${kid}`)
  const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' })
  if (!verify(null, Buffer.from(`${head}.${content}`), key, Buffer.from(signature, 'base64url')))
    fail('the signature is wrong: the content was changed')
  return Buffer.from(content, 'base64url').toString()
}

/** The bytes that the client sent, or was sent, have the hash that the receipt states. */
function compare(part, path, stated) {
  if (stated === undefined) fail(`the receipt has no hash of the ${part}: its token did not ask for hashes`)
  const bytes = readFileSync(path)
  if (createHash('sha256').update(bytes).digest('hex') === stated.sha256) return
  const sizes = `${bytes.length} bytes, and the receipt is of ${stated.bytes}`
  fail(`the ${part} is another one: ${sizes}${stated.is_cut ? ', because the answer was cut off' : ''}`)
}

function fail(why) {
  console.error(why)
  process.exit(1)
}
