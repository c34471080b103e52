import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { BodyInputOf } from '@tollgate/contracts/endpoint'
import { imports, type ImportRun } from '@tollgate/contracts/resources/imports'
import { call, callForFile, keyOf } from '../../lib/api.ts'
import { refresh } from '../../lib/query-client.ts'
import { saveFile } from '../../ui/list/csv.ts'

const LOOK_MS = 1000

/** Asked again every second while an import runs. */
export const importState = queryOptions({
  queryKey: keyOf(imports.get),
  queryFn: ({ signal }) => call(imports.get, { signal }),
  refetchInterval: ({ state }) => (state.data?.run?.state === 'running' ? LOOK_MS : false),
})

export type Wanted = Omit<BodyInputOf<typeof imports.start>, 'address' | 'source'> & { readonly from: string | File }

/** Starts the dry run; a file is sent first, as bytes of no type that a form could send. */
export async function startDryRun({ from, ...wishes }: Wanted): Promise<ImportRun> {
  if (typeof from === 'string') return await call(imports.start, { body: { ...wishes, address: from } })
  const file = new Blob([from], { type: 'application/octet-stream' })
  const { source } = await call(imports.upload, { query: { name: from.name }, file })
  return await call(imports.start, { body: { ...wishes, source } })
}

/** An action on an import, after which the page shows what is there now. */
export function useImportAction<T>(work: (input: T) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: work, onSettled: () => refresh(client, imports.get) })
}

type Again = { readonly id: string; readonly is_dry_run: boolean; readonly keep: readonly string[] }

export const runAgain = ({ id, is_dry_run, keep }: Again) =>
  call(imports.runAgain, { params: { id }, body: { is_dry_run, keep: [...keep] } })

export const cancel = (id: string) => call(imports.cancel, { params: { id } })
export const forget = (id: string) => call(imports.forget, { params: { id } })

export async function saveReport(id: string, format: 'json' | 'html', language: 'zh' | 'en'): Promise<void> {
  const file = await callForFile(imports.report, { params: { id }, query: { format, language } })
  saveFile(`import-report.${format}`, file)
}
