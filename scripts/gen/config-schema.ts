import { z } from 'zod'
import { ConfigFile } from '../../libs/contracts/src/config-files.ts'

/** The schema of configuration files for editors. */
export function renderConfigSchema(): string {
  return `${JSON.stringify({ title: 'Configuration of Tollgate', ...z.toJSONSchema(ConfigFile, { io: 'input' }) }, null, 2)}\n`
}
