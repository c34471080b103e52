import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Option, type Command } from 'commander'
import type { CliEnv } from '@tollgate/config/cli-env'
import { CliError, EXIT } from '../../failure.ts'
import { print } from '../../output/print.ts'
import type { Session } from '../../session/session.ts'
import { contextOf, describe, readCount } from '../command.ts'
import { readDirectory, type Directory } from './read-directory.ts'
import { clean } from '../../output/text.ts'
import { openKeyFiles } from './token-keys.ts'
import { renderEffect, renderPlan, type Effect, type Plan } from './render-plan.ts'
import { perUnitOf, replayPrices, REPLAY_DAYS } from './replay.ts'

const PRUNES = ['owned', 'all'] as const
type Prune = 'none' | (typeof PRUNES)[number]
type PlanOptions = {
  readonly prune?: true | (typeof PRUNES)[number]
  readonly owner: string
  readonly replay: boolean
  readonly wait: number
  readonly detailedExitcode?: true
  readonly withoutSecrets?: true
}
type ApplyOptions = PlanOptions & { readonly yes?: true; readonly plan?: string }

export function addConfig(program: Command, env: CliEnv): void {
  withPlanOptions(
    describe(program, {
      usage: 'plan <directory>',
      about: 'Shows what applying the files of a directory would change, and what that would have cost customers',
      example: 'tollgate plan ./config --detailed-exitcode',
    }),
  )
    .option('--detailed-exitcode', 'exit code 6 when something would change')
    .option('--without-secrets', 'reads no secret: each counts as unchanged, as for a fork that may not have them')
    .action(async (directory: string, _, command: Command) => await plan(directory, command, env))
  withPlanOptions(
    describe(program, {
      usage: 'apply <directory>',
      about: 'Makes an installation like the files of a directory, in one transaction, after showing the plan',
      example: 'tollgate apply ./config --yes',
    }),
  )
    .option('--yes', 'does not ask')
    .option('--plan <file>', 'applies exactly the plan that plan --output json wrote, and refuses when it no longer holds')
    .action(async (directory: string, _, command: Command) => await apply(directory, command, env))
}

const withPlanOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--prune [which]', 'removes what the files managed and no longer name; all: everything of a kind that they name').choices(
        PRUNES,
      ),
    )
    .option('--owner <name>', 'names the directory: files of another owner never remove its records', 'default')
    .option('--no-replay', 'does not price the requests of the last days again')
    .option('--wait <seconds>', 'how long the replay is waited for', readCount, 120)

const pruneOf = ({ prune }: Pick<PlanOptions, 'prune'>): Prune => (prune === true ? 'owned' : (prune ?? 'none'))

/** A plan as `plan --output json` prints it. */
type SavedPlan = Plan & { readonly prune: Prune; readonly owner: string; readonly effect?: Effect | undefined }

async function plan(folder: string, command: Command, env: CliEnv): Promise<void> {
  const { session, options } = contextOf<PlanOptions>(command, env)
  const planned = await makePlan(session, readDirectory(folder, { hasSecrets: options.withoutSecrets !== true }), options)
  await printPlan(session, planned, options.output)
  if (options.detailedExitcode === true && planned.changes.length > 0) process.exitCode = EXIT.changes
}

async function makePlan(session: Session, directory: Directory, options: PlanOptions): Promise<SavedPlan> {
  const prune = pruneOf(options)
  const { owner, withoutSecrets: without_secrets = false } = options
  const { files, secrets } = directory
  const body = { files: [...files], secrets, prune, owner, without_secrets }
  const planned = await session.data(session.client.POST('/api/config/plan', { body }))
  refuseProblems(planned, directory)
  const { prices } = planned
  const effect = prices === undefined || !options.replay ? undefined : await replayPrices(session, prices, options.wait)
  return { ...planned, prune, owner, ...(effect === undefined ? {} : { effect }) }
}

function refuseProblems({ problems }: Plan, { locate }: Directory): void {
  if (problems.length === 0) return
  const lines = problems.map(({ file, path, message }) => `${locate(file, path)}: ${[...path, ''].join('.').replace(/\.$/, '')} ${message}`)
  throw new CliError(lines.join('; '), EXIT.usage)
}

async function printPlan(session: Session, planned: SavedPlan, output: 'table' | 'json' | 'yaml'): Promise<void> {
  const { effect } = planned
  const perUnit = effect === undefined ? 0 : await perUnitOf(session)
  print(output, planned, () =>
    [renderPlan(planned), ...(effect === undefined ? [] : ['', renderEffect(effect, REPLAY_DAYS, perUnit)])].join('\n'),
  )
}

async function apply(folder: string, command: Command, env: CliEnv): Promise<void> {
  const { session, options } = contextOf<ApplyOptions>(command, env)
  const directory = readDirectory(folder)
  const planned = options.plan === undefined ? await makePlan(session, directory, options) : readPlan(options.plan)
  if (options.output === 'table') await printPlan(session, planned, 'table')
  if (options.plan === undefined && options.yes !== true && planned.changes.length > 0) await confirm()
  const { files, secrets } = directory
  const seen = Object.fromEntries(planned.changes.map(({ kind, name, version }) => [`${kind}/${name}`, version]))
  const body = { files: [...files], secrets, prune: planned.prune, owner: planned.owner, seen }
  const keyFiles = openKeyFiles(planned, folder)
  const applied = await session.data(session.client.POST('/api/config/apply', { body })).catch((error: unknown) => {
    keyFiles.discard()
    throw error
  })
  const { keys = [], ...shown } = applied
  const unwritten = keyFiles.write(keys)
  print(
    options.output,
    { ...shown, ...(unwritten.length === 0 ? {} : { keys: unwritten }), prune: planned.prune, owner: planned.owner },
    () =>
      [
        `Applied: ${applied.changes.length} ${applied.changes.length === 1 ? 'record' : 'records'} changed.`,
        ...unwritten.map(({ name, key }) => `The key of ${clean(name)}, shown only once: ${key}`),
      ].join('\n'),
  )
}

function readPlan(file: string): SavedPlan {
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as Partial<SavedPlan> | null // checked below
    if (Array.isArray(read?.changes) && Array.isArray(read.left) && read.prune !== undefined && read.owner !== undefined)
      return read as SavedPlan // what plan wrote
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`, EXIT.usage)
  }
  throw new CliError(`${file} is no plan: write it with plan --output json`, EXIT.usage)
}

async function confirm(): Promise<void> {
  if (!process.stdin.isTTY) throw new CliError('nothing was applied: without a terminal --yes or --plan is needed', EXIT.usage)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question('Apply these changes? (yes/no) ')
  lines.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new CliError('nothing was applied', EXIT.refused)
}
