import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Variables of every process that a test starts. Node keeps stripped and compiled sources, which halves what a start takes. */
export const PROCESS_ENV = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'tollgate-test-compile-cache'),
}
