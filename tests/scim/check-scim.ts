// Starts an installation and runs scim2-tester and a program on scim2-client against its SCIM endpoint, by way of the relay's address:
// `npm run check:scim`. Needs Python 3 and PyPI. `SCIM_VENV` names a folder with the packages that was made before.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startInstallation } from '../screenshots/installation.ts'
import { signIn } from '../support/api.ts'

const PACKAGES = ['scim2-tester==0.5.2', 'scim2-cli==0.6.0', 'scim2-client==0.13.2', 'scim2-models==0.12.3', 'httpx2==2.16.2']

const given = process.env['SCIM_VENV']
const folder = given ?? mkdtempSync(join(tmpdir(), 'tollgate-scim-'))
const installation = await startInstallation()
try {
  if (given === undefined) {
    run('python3', ['-m', 'venv', folder])
    run(join(folder, 'bin/pip'), ['install', '--quiet', ...PACKAGES])
  }
  const url = `${installation.origin}/scim/v2`
  const token = await makeToken()
  const tested = run(join(folder, 'bin/scim2'), ['--url', url, 'test'], { SCIM_CLI_HEADERS: `Authorization: Bearer ${token}` })
  const called = run(join(folder, 'bin/python'), [join(import.meta.dirname, 'program.py'), url], { SCIM_TOKEN: token })
  process.exitCode = tested === 0 && called === 0 ? 0 : 1
} finally {
  await installation.stop()
  if (given === undefined) rmSync(folder, { recursive: true, force: true })
}

function run(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): number {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...more } })
  if (error !== undefined) throw error
  return status ?? 1
}

/** A token of a new organisation, whose domain is proven. */
async function makeToken(): Promise<string> {
  const { username, password } = installation.demo
  const root = await signIn(installation.origin, username, password)
  await root.put('/api/option/', { key: 'OrganisationFounders', value: 'all' })
  const { data } = await root.post<{ id: number }>('/api/organisations/', { name: 'Acme' })
  await root.put(`/api/organisations/${data.id}/trust`, { domains: ['acme.example'] })
  const owner = await signIn(installation.origin, username, password, { 'New-Api-User': String(data.id) })
  const made = await owner.post<{ token: string }>('/api/organisation/scim/tokens', { name: 'scim2-tester' })
  if (!made.success) throw new Error(`the token could not be made: ${made.message}`)
  return made.data.token
}
