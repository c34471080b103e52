import { messages } from '@tollgate/contracts/texts/success-messages'
import { options } from '@tollgate/contracts/resources/options'
import { withMessage } from '@tollgate/http/envelope'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { testOutside } from './test-outside.ts'
import { exportOptions, importOptions, previewImport } from './transfer.ts'
import { listOptionNotes, listOptionRows, resetModelRatio, updateOption } from './service.ts'

export const optionRoutes = (deps: Deps): Binding[] => [
  handle(options.list, () => listOptionRows(deps)),
  handle(options.notes, () => listOptionNotes(deps)),
  handle(options.update, ({ actor, body, ip }) => updateOption(deps, { actor, ip }, body)),
  handle(options.testOutside, ({ body }) => testOutside(deps, body.part)),
  handle(options.exportFile, ({ actor, body, ip }) => exportOptions(deps, { actor, ip }, body.passphrase)),
  handle(options.previewImport, ({ body, language }) => previewImport(deps, body, language)),
  handle(options.importFile, ({ actor, body, ip, language }) => importOptions(deps, { actor, ip }, { ...body, language })),
  handle(options.resetModelRatio, async ({ actor, ip, language }) => {
    await resetModelRatio(deps, { actor, ip })
    return withMessage(messages['options.ratio-reset'][language])
  }),
]
