import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inheritedEnv } from '@tollgate/config/inherited-env'

const run = promisify(execFile)

/** A copy of the working tree for patches. npm packages are linked to the original; workspace packages are the copy's. */
export type Scratch = {
  readonly dir: string
  /** False when the patch no longer applies. */
  apply(patch: string): Promise<boolean>
  revert(patch: string): Promise<void>
  remove(): Promise<void>
}

const OWN = '@tollgate'

export async function makeScratch(root: string): Promise<Scratch> {
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-mutants-'))
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, maxBuffer: 2 ** 26 })
  for (const file of stdout.split('\0').filter((name) => name !== '')) {
    // A file that was deleted and not committed is still listed.
    await cp(join(root, file), join(dir, file)).catch(() => undefined)
  }
  await linkPackages(join(root, 'node_modules'), join(dir, 'node_modules'))
  // Outside a repository, git apply patches the files directly.
  const env = inheritedEnv({ GIT_CEILING_DIRECTORIES: dirname(dir), GIT_DIR: undefined, GIT_WORK_TREE: undefined })
  const git = (args: readonly string[]) => run('git', ['apply', ...args], { cwd: dir, env })
  return {
    dir,
    apply: async (patch) => {
      const fits = await git(['--check', patch]).then(
        () => true,
        () => false,
      )
      if (fits) await git([patch])
      return fits
    },
    revert: async (patch) => void (await git(['--reverse', patch])),
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(join(to, OWN), { recursive: true })
  const packages = (await readdir(from)).filter((name) => name !== OWN && !name.startsWith('.vite'))
  for (const name of packages) await symlink(join(from, name), join(to, name))
  // Relative links, so that they lead to the copy's packages.
  for (const name of await readdir(join(from, OWN))) await symlink(await readlink(join(from, OWN, name)), join(to, OWN, name))
}
