// Published SDKs and frameworks of Python, Node, Go, Rust and Java against one relay with a channel per vendor format: `npm run test:clients [client…]`.
// A client's name begins with its language. A run of all clients writes the table of the results.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startFormatVendor } from '@tollgate/testing/format-vendor'
import { aChannel, openTestbed } from '../../services/relay/test/test-relay.ts'
import { readCommandLine } from '../support/command-line.ts'
import { isSame, type Cell } from './cells.ts'
import { KNOWN_RED } from './known-red.ts'
import { LANGUAGES, type Target } from './languages.ts'
import { renderClients } from './render.ts'
import { answer, EXPECTED } from './script.ts'
import { runClients } from './tools.ts'
import { VENDORS } from './vendors.ts'

const TABLE = join(import.meta.dirname, '../../docs/generated/clients.md')

const { positionals: wanted } = readCommandLine({
  command: 'npm run test:clients --',
  about: `Runs published SDKs against every vendor format: all, or those that are named. A name begins with its language: ${LANGUAGES.map(({ name }) => name).join(', ')}.`,
  example: 'npm run test:clients -- python',
  options: {},
  allowPositionals: true,
})

await runClients(async () => {
  const languages = LANGUAGES.filter(({ name }) => wanted.length === 0 || wanted.some((client) => client.split(' ')[0] === name))
  const cells: Cell[] = []
  const vendor = await startFormatVendor(answer)
  const testbed = await openTestbed()
  try {
    const channels = VENDORS.map(({ type, slug, upstream }) =>
      aChannel(vendor.url, { type, models: [`model-${slug}`], model_mapping: { [`model-${slug}`]: upstream } }),
    )
    const prices = VENDORS.map(({ slug }) => ({ model: `model-${slug}`, ratio: 1, completion_ratio: 4 }))
    await testbed.publish({ channels, prices })
    const relay = await testbed.startRelay()
    const { key } = await testbed.anAccount({ credited: 1_000_000_000 })
    const target: Target = { TOLLGATE_URL: relay.url, TOLLGATE_KEY: `sk-${key}`, EXPECTED: JSON.stringify(EXPECTED) }
    for (const language of languages) {
      const clients = wanted.filter((client) => client.startsWith(`${language.name} `))
      const found = await language.run(target, clients)
      for (const line of summaryOf(found)) console.log(line)
      cells.push(...found)
    }
  } finally {
    await testbed.close()
    await vendor.stop()
  }
  if (wanted.length === 0) await writeFile(TABLE, renderClients(cells, KNOWN_RED))
  const red = cells.filter(({ result }) => result === 'red')
  const unknown = red.filter((cell) => !KNOWN_RED.some((known) => isSame(known, cell)))
  for (const { client, vendor: by, case: name, reason } of red) console.error(`red: ${client}, ${by}, ${name}: ${reason}`)
  const over = wanted.length > 0 ? [] : KNOWN_RED.filter((known) => !red.some((cell) => isSame(known, cell)))
  for (const known of over) console.error(`known red, but it is not: ${known.client}, ${known.vendor}, ${known.case}`)
  const isPassed = cells.length > 0 && unknown.length === 0 && over.length === 0
  console.log(`test:clients ${isPassed ? 'passed' : 'failed'}: ${cells.length} cells, ${red.length} red, ${unknown.length} of them new`)
  return isPassed
})

function summaryOf(cells: readonly Cell[]): string[] {
  const clients = [...new Set(cells.map(({ client }) => client))]
  return clients.map((client) => {
    const own = cells.filter((cell) => cell.client === client)
    const count = (result: Cell['result']) => own.filter((cell) => cell.result === result).length
    return `${client}: ${count('ok')} ok, ${count('none')} none, ${count('red')} red`
  })
}
