// Generates a Python client from openapi.json with openapi-python-client, without a warning, signs in to a fresh installation with it and
// lists the channels: `npm run check:python-client`. Needs Python 3.11 and PyPI. `PYTHON_VENV` names a folder with the packages that was
// made before.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startInstallation } from '../screenshots/installation.ts'

/** ruff formats what is generated. */
const PACKAGES = ['openapi-python-client==0.29.1', 'ruff==0.17.5']

const given = process.env['PYTHON_VENV']
const work = mkdtempSync(join(tmpdir(), 'tollgate-python-'))
const bin = join(given ?? join(work, 'venv'), 'bin')
try {
  if (given === undefined) {
    run('python3', ['-m', 'venv', join(work, 'venv')])
    run(join(bin, 'pip'), ['install', '--quiet', ...PACKAGES])
  }
  const openApi = join(import.meta.dirname, '../../docs/generated/openapi.json')
  const target = ['--meta', 'none', '--output-path', join(work, 'tollgate_client')]
  run(join(bin, 'openapi-python-client'), ['generate', '--path', openApi, ...target, '--fail-on-warning'])
  await tryClient()
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function tryClient(): Promise<void> {
  const { origin, demo, stop } = await startInstallation()
  try {
    const env = { PYTHONPATH: work, TOLLGATE_NAME: demo.username, TOLLGATE_PASSWORD: demo.password }
    run(join(bin, 'python'), [join(import.meta.dirname, 'program.py'), origin], env)
  } finally {
    await stop()
  }
}

function run(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): void {
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, ...more }
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', cwd: work, env })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${command} ended with ${status}`)
}
