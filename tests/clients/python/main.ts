// The vendors' Python SDKs against a real relay, with a scripted vendor of each format: `npm run clients:python`.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFormatVendor } from '@tollgate/testing/format-vendor'
import type { Script } from '@tollgate/testing/format-scripts/script'
import { aChannel, openTestbed } from '../../../services/relay/test/test-relay.ts'
import { ClientError, requireTool, run, runClients } from '../tools.ts'
import { VENDORS } from '../vendors.ts'

const TEXT = 'Hello from a vendor of any format.'
const CITIES = [{ city: 'Bonn' }, { city: 'Kyoto' }]

const script: Script = ({ userText }) => {
  if (userText.includes('refuse')) return { kind: 'error', status: 400, message: 'the vendor refuses' }
  if (!userText.includes('weather')) return { kind: 'text', text: TEXT }
  return { kind: 'calls', calls: CITIES.map((input, index) => ({ id: `call_${index}`, name: 'weather', input })) }
}

await runClients(async () => {
  await requireTool('python3', ['--version'], 'clients:python')
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-python-'))
  try {
    return await useClients(await installClients(dir))
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})

/** Creates a virtual environment with the pinned SDKs; returns its Python. */
async function installClients(dir: string): Promise<string> {
  const made = await run('python3', ['-m', 'venv', dir])
  const python = join(dir, 'bin', 'python')
  if (made.code !== 0) throw new ClientError('clients:python needs `python3 -m venv` with pip to work here')
  await requireTool(python, ['-m', 'pip', '--version'], 'clients:python')
  const options = ['--quiet', '--disable-pip-version-check', '--no-input']
  const installed = await run(python, ['-m', 'pip', 'install', ...options, '-r', join(import.meta.dirname, 'requirements.txt')])
  if (installed.code !== 0)
    throw new ClientError(`clients:python could not install the SDKs: ${installed.stderr.trim().split('\n').at(-1)}`)
  return python
}

async function useClients(python: string): Promise<boolean> {
  const vendor = await startFormatVendor(script)
  const testbed = await openTestbed()
  try {
    await testbed.publish({ channels: [] })
    const relay = await testbed.startRelay()
    let failed = 0
    for (const { name, type } of VENDORS) {
      await testbed.publish({ channels: [aChannel(vendor.url, { type })] })
      const { key } = await testbed.anAccount()
      const env = {
        ...process.env,
        TOLLGATE_URL: relay.url,
        TOLLGATE_KEY: `sk-${key}`,
        EXPECTED: JSON.stringify({ text: TEXT, cities: CITIES }),
      }
      const { code, stdout, stderr } = await run(python, [join(import.meta.dirname, 'clients.py')], { env })
      for (const line of stdout.trim().split('\n')) console.log(`${name}: ${line}`)
      if (code !== 0) console.error(stderr.trim())
      failed += code === 0 ? 0 : 1
    }
    console.log(failed === 0 ? 'clients:python passed' : `clients:python failed with ${failed} of ${VENDORS.length} vendors`)
    return failed === 0
  } finally {
    await testbed.close()
    await vendor.stop()
  }
}
