import { createHash } from 'node:crypto'
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cell } from './cells.ts'
import { ClientError, requireTool, run } from './tools.ts'

/** The environment of a language's program. */
export type Target = { readonly TOLLGATE_URL: string; readonly TOLLGATE_KEY: string; readonly EXPECTED: string }

type Language = {
  readonly name: string
  /** Installs the pinned clients and runs the clients; no client: all. */
  run(target: Target, clients: readonly string[]): Promise<Cell[]>
}

const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'
const RUN_MS = 480_000
const INSTALL_MS = 900_000
const MARK = 'CELL '
/** Those of the second and third refuse the newest SDKs, which the first get. */
const PYTHON_ENVIRONMENTS = ['newest', 'older', 'frameworks'] as const

export const LANGUAGES: readonly Language[] = [
  {
    name: 'python',
    run: async (target, clients) => {
      await requireTool('python3', ['--version'], 'test:clients')
      const cells: Cell[] = []
      for (const environment of PYTHON_ENVIRONMENTS) cells.push(...(await runPython(environment, target, clients)))
      return cells
    },
  },
  {
    name: 'node',
    run: async (target, clients) => {
      // Node resolves packages from the program's folder, so the programs are copied beside them.
      const programs = ['main.mjs', 'common.mjs', 'sdks.mjs', 'ai-sdk.mjs', 'langchain.mjs', 'agents.mjs']
      const dir = await installed('node', ['package.json', 'package-lock.json'], (to) =>
        mustRun('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], to),
      )
      for (const program of programs) await cp(join(import.meta.dirname, 'node', program), join(dir, program))
      return await cellsOf(process.execPath, [join(dir, 'main.mjs'), ...clients], dir, target)
    },
  },
  {
    name: 'go',
    run: async (target, clients) => {
      await requireTool('go', ['version'], 'test:clients')
      const programs = ['go.mod', 'go.sum', 'main.go', 'openai.go', 'anthropic.go', 'genai.go', 'go-openai.go', 'langchaingo.go']
      const dir = await installed('go', programs, (to) => mustRun('go', ['build', '-o', 'clients', '.'], to))
      return await cellsOf(join(dir, 'clients'), clients, dir, target)
    },
  },
  {
    name: 'rust',
    run: async (target, clients) => {
      await requireTool('cargo', ['--version'], 'test:clients')
      const programs = [
        'Cargo.toml',
        'Cargo.lock',
        ...['main.rs', 'async_openai_client.rs', 'genai_client.rs'].map((file) => join('src', file)),
      ]
      const dir = await installed('rust', programs, (to) => mustRun('cargo', ['build', '--quiet', '--locked'], to))
      return await cellsOf(join(dir, 'target/debug/clients'), clients, dir, target)
    },
  },
  {
    name: 'java',
    run: async (target, clients) => {
      for (const tool of ['mvn', 'javac']) await requireTool(tool, ['--version'], 'test:clients')
      const programs = ['Clients', 'OpenAiJava', 'AnthropicJava', 'GoogleGenai', 'LangChain'].map((name) => `${name}.java`)
      const dir = await installed('java', ['pom.xml', ...programs], async (to) => {
        await mustRun('mvn', ['-q', '-B', COPY_DEPENDENCIES, '-DoutputDirectory=lib'], to)
        await mustRun('javac', ['-nowarn', '-cp', 'lib/*', '-d', 'classes', ...programs], to)
      })
      return await cellsOf('java', ['-cp', 'classes:lib/*', 'Clients', ...clients], dir, target)
    },
  },
]

async function runPython(environment: (typeof PYTHON_ENVIRONMENTS)[number], target: Target, clients: readonly string[]): Promise<Cell[]> {
  const list = `${environment}.txt`
  const dir = await installed('python', [list], async (to) => {
    await mustRun('python3', ['-m', 'venv', to])
    const options = ['--quiet', '--disable-pip-version-check', '--no-input', '--no-deps']
    await mustRun(join(to, 'bin/python'), ['-m', 'pip', 'install', ...options, '-r', join(to, list)])
  })
  const program = [join(import.meta.dirname, 'python/main.py'), environment, ...clients]
  // Without it LiteLLM reads its prices from another site when it is imported.
  const own = { ...target, LITELLM_LOCAL_MODEL_COST_MAP: 'True' }
  return await cellsOf(join(dir, 'bin/python'), program, import.meta.dirname, own)
}

/** A folder for the language with these files of it, kept in the temporary folder until one of them changes. */
async function installed(name: string, files: readonly string[], install: (dir: string) => Promise<void>): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files) hash.update(await readFile(join(import.meta.dirname, name, file)))
  const dir = join(tmpdir(), `tollgate-clients-${name}-${hash.digest('hex').slice(0, 12)}`)
  const done = join(dir, 'installed')
  if (await stat(done).catch(() => undefined)) return dir
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { recursive: true })
  for (const file of files) await cp(join(import.meta.dirname, name, file), join(dir, file))
  await install(dir)
  await writeFile(done, '')
  return dir
}

async function mustRun(command: string, args: readonly string[], cwd?: string): Promise<void> {
  const { code, stderr } = await run(command, args, { timeoutMs: INSTALL_MS, ...(cwd === undefined ? {} : { cwd }) })
  if (code !== 0) throw new ClientError(`test:clients: ${command} ${args.join(' ')} failed: ${stderr.trim().split('\n').at(-1)}`)
}

/** Runs a program and reads its cells; the program's own failure is thrown. */
async function cellsOf(command: string, args: readonly string[], cwd: string, target: Target): Promise<Cell[]> {
  const { code, stdout, stderr } = await run(command, args, { cwd, env: { ...process.env, ...target }, timeoutMs: RUN_MS })
  if (process.env['TOLLGATE_CLIENTS_LOG'] !== undefined) await writeFile(process.env['TOLLGATE_CLIENTS_LOG'], stderr)
  if (code !== 0) throw new ClientError(`test:clients: ${command} exited with ${code}: ${stderr.trim().slice(-2000)}`)
  const lines = stdout.split('\n').filter((line) => line.startsWith(MARK))
  // The programs beside this file wrote them.
  return lines.map((line) => JSON.parse(line.slice(MARK.length)) as Cell)
}
