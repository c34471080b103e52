import { writeFileSync } from 'node:fs'
import inspector from 'node:inspector'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded by every Node process of the product (NODE_OPTIONS). A service opens its inspector on a free port and writes the address to a
 * file named by its process id.
 */
const folder = process.env['SOAK_INSPECTORS']
if (folder !== undefined && isMainThread && /services\/[a-z-]+\/src\/main\.ts$/.test(process.argv[1] ?? '')) {
  inspector.open(0, '127.0.0.1')
  writeFileSync(join(folder, String(process.pid)), inspector.url() ?? '')
}
