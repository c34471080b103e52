import { AppError } from '@tollgate/contracts/app-error'
import { imports } from '@tollgate/contracts/resources/imports'
import { isInUse, listImports } from '@tollgate/db/queries/moving-in/imports'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../deps.ts'
import { receiveFile } from './console-files.ts'
import { reportPage } from './report-page.ts'
import { cancelRun, forgetRun, keepSource, latestRun, reportOf, runAgain, startRun } from './runner.ts'
import { shownReport } from './shown-report.ts'
import type { ImportSource } from './thread-messages.ts'

/** Imports from the console: the engine of `npm run import` in a thread of this service. docs/adr/0117-moving-in.md */
export function importRoutes(deps: Deps): Binding[] {
  let isUploading = false
  return [
    handle(imports.get, async ({ language }) => {
      const run = await latestRun(deps, language)
      const report = run === null || run.state === 'running' ? undefined : await reportOf(deps, run.id)
      return {
        run,
        report: report === undefined ? null : shownReport(report, language),
        carried: await listImports(deps.reads),
        is_in_use: await isInUse(deps.reads),
      }
    }),
    handle(imports.upload, async ({ c, query }) => {
      if (c.req.header('content-type') !== 'application/octet-stream') throw new AppError('guard.content-type')
      if (isUploading) throw new AppError('import.uploading')
      isUploading = true
      try {
        const { path, bytes } = await receiveFile(c.req.raw.body, query.name)
        return { source: await keepSource(deps, { kind: 'file', at: path, shown: query.name }), name: query.name, bytes }
      } finally {
        isUploading = false
      }
    }),
    handle(imports.start, async ({ actor, ip, language, body: { address, source, ...wishes } }) => {
      const source_id = address === '' ? source : await keepSource(deps, sourceAt(address))
      return await startRun(deps, { actor, ip }, { source_id, wishes, isDryRun: true }, language)
    }),
    handle(imports.runAgain, ({ actor, ip, language, params, body }) =>
      runAgain(deps, { actor, ip }, { id: params.id, isDryRun: body.is_dry_run, keep: body.keep }, language),
    ),
    handle(imports.cancel, ({ actor, ip, params }) => cancelRun(deps, { actor, ip }, params.id)),
    handle(imports.forget, ({ params }) => forgetRun(deps, params.id)),
    handle(imports.report, async ({ params, query }) => {
      const report = await reportOf(deps, params.id)
      if (report === undefined) throw new AppError('import.gone')
      const isPage = query.format === 'html'
      return new Response(isPage ? reportPage(report, query.language) : `${JSON.stringify(report, null, 2)}\n`, {
        headers: {
          'Content-Type': isPage ? 'text/html; charset=utf-8' : 'application/json',
          'Content-Disposition': `attachment; filename="import-report.${query.format}"`,
          'Cache-Control': 'no-store',
        },
      })
    }),
  ]
}

/** An address of a database server; a path would name a file of this machine. */
function sourceAt(address: string): ImportSource {
  const url = URL.parse(address)
  if (url === null || !/^(?:postgres(?:ql)?|mysql|mariadb):$/.test(url.protocol) || url.hostname === '' || !isDecodable(url))
    throw new AppError('import.address-form')
  return { kind: 'address', at: address, shown: `${url.protocol}//${url.host}${url.pathname}` }
}

function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
