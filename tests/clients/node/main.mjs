// Runs every client of Node: prints one JSON line per cell. Arguments: names of clients; none: all.
import { deepStrictEqual as equal } from 'node:assert'
import { AGENTS_CLIENTS } from './agents.mjs'
import { AI_SDK_CLIENTS } from './ai-sdk.mjs'
import { EXPECTED } from './common.mjs'
import { LANGCHAIN_CLIENTS } from './langchain.mjs'
import { SDK_CLIENTS } from './sdks.mjs'

const CLIENTS = { ...SDK_CLIENTS, ...AI_SDK_CLIENTS, ...LANGCHAIN_CLIENTS, ...AGENTS_CLIENTS }
const VENDORS = ['openai', 'chat', 'anthropic', 'gemini']
const CHECKS = {
  models: (found) =>
    equal(
      VENDORS.filter((vendor) => !found.includes(`model-${vendor}`)),
      [],
    ),
  chat: (found) => equal(found, EXPECTED.text),
  stream: (found) => equal(found, EXPECTED.text),
  usage: (found) =>
    equal(
      found,
      Array.from(found, () => [EXPECTED.input, EXPECTED.output]),
    ),
  tools: (found) => equal(found, EXPECTED.forecast),
  schema: (found) => equal(found, { city: 'Bonn' }),
  image: (found) => equal(found, EXPECTED.picture),
  // A client that has no place for the reasoning's text gives undefined.
  reasoning: ([thought, again]) => equal([thought, again], [thought && EXPECTED.reasoning, EXPECTED.thoughts[1]]),
  errors: () => {},
  embeddings: (found) =>
    equal(
      Array.from(found, (vector) => vector.length),
      [EXPECTED.dimensions, EXPECTED.dimensions],
    ),
}

const UNSERVED = { result: 'none', reason: 'Anthropic has no embeddings: an error answers' }

const wanted = process.argv.slice(2)
for (const [client, make] of Object.entries(CLIENTS)) {
  if (wanted.length > 0 && !wanted.includes(client)) continue
  for (const vendor of VENDORS) {
    for (const name of Object.keys(CHECKS)) {
      const cell = await run(make(`model-${vendor}`), vendor, name)
      console.log(`CELL ${JSON.stringify({ client, vendor, case: name, ...cell })}`)
    }
  }
}
process.exit(0)

async function run(client, vendor, name) {
  if (client[name] === undefined) return { result: 'none', reason: 'the client has no such call' }
  const isServed = name !== 'embeddings' || vendor !== 'anthropic'
  try {
    const found = await client[name]()
    if (isServed) CHECKS[name](found)
    // LangChain answers no vectors instead of the error.
    else if (found.flat().length > 0) return { result: 'red', reason: 'a vendor without embeddings answered' }
    return isServed ? { result: 'ok' } : UNSERVED
  } catch (error) {
    if (!isServed) return UNSERVED
    console.error(client, vendor, name, error)
    return { result: 'red', reason: `${error?.constructor?.name}: ${error?.message}`.slice(0, 300) }
  }
}
