import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import type { CliEnv } from '@tollgate/config/cli-env'
import { CliError, EXIT } from '../failure.ts'
import { print } from '../output/print.ts'
import { renderTable } from '../output/text.ts'
import { contextOf, describe, readCount } from './command.ts'

/** The script for users who check receipts without this command. */
const RECEIPT_SCRIPT = join(import.meta.dirname, '../../../../docs/verify-receipt.mjs')

export function addChecks(program: Command, env: CliEnv): void {
  const verify = program.command('verify').description('Checks the installation')
  describe(verify, {
    usage: 'ledger',
    about: 'Compares the balances of both stores with the log; exit code 1 if they differ',
    example: 'tollgate verify ledger --wait 600',
  })
    .option('--wait <seconds>', 'how long the result is waited for', readCount, 120)
    .action(async (_, command: Command) => await verifyLedger(command, env))
  const receipt = program.command('receipt').description('Checks signed receipts')
  describe(receipt, {
    usage: 'check <file>',
    about: 'Checks the signature of receipts with the published keys, and prints their content',
    example: 'tollgate receipt check receipt.jws --keys keys.json',
  })
    .option('--keys <address or file>', "another source of keys than the profile's installation")
    .option('--request <file>', 'bytes of the request, which must have the hash that the receipt states')
    .option('--answer <file>', 'bytes of the answer, as they were received')
    .action(async (file: string, _, command: Command) => await checkReceipt(file, command, env))
}

async function verifyLedger(command: Command, env: CliEnv): Promise<void> {
  const { session, options } = contextOf<{ readonly wait: number }>(command, env)
  const { client } = session
  const before = await session.data(client.GET('/api/ledger/report'))
  await session.data(client.POST('/api/ledger/verify'))
  const deadline = Date.now() + options.wait * 1000
  for (;;) {
    const report = await session.data(client.GET('/api/ledger/report'))
    if (report !== null && report.id !== before?.id) {
      const rows = report.checks.map(({ check, compared, differences }) => [check, String(compared), String(differences)])
      const verdict = report.is_sound
        ? 'The ledger is sound.'
        : `The ledger is not sound: ${report.differences} differences ${report.skipped}`.trim()
      print(options.output, report, () => `${renderTable(['CHECK', 'COMPARED', 'DIFFERENCES'], rows)}\n${verdict}`)
      process.exitCode = report.is_sound ? EXIT.done : EXIT.refused
      return
    }
    if (Date.now() > deadline)
      throw new CliError(`the check has not ended after ${options.wait} s; its result will be in the console`, EXIT.refused)
    await wait(250)
  }
}

async function checkReceipt(file: string, command: Command, env: CliEnv): Promise<void> {
  const { keys, request, answer }: { readonly keys?: string; readonly request?: string; readonly answer?: string } = command.opts()
  const source = keys ?? `${contextOf(command, env).session.profile.address}/.well-known/jwks.json`
  const bodies = [...(request === undefined ? [] : ['--request', request]), ...(answer === undefined ? [] : ['--answer', answer])]
  const { code, stdout, stderr } = await run([RECEIPT_SCRIPT, file, source, ...bodies])
  process.stdout.write(stdout)
  if (code !== 0) throw new CliError(stderr.trim().split('\n').at(-1) ?? 'the receipt is wrong', EXIT.refused)
}

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

const run = (args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [...args], (_error, stdout, stderr) => resolve({ code: child.exitCode ?? 1, stdout, stderr }))
  })
