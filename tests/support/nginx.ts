import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePort } from '@tollgate/servers/free-port'
import { canConnect } from '@tollgate/servers/local-process'
import { requireNginx } from '../../deploy/standalone/src/machine/system-packages.ts'
import { isReady } from './is-ready.ts'

const run = promisify(execFile)
const PROBE_MS = 50

export type Nginx = {
  readonly url: string
  /** Content of the error log. */
  readErrors(): Promise<string>
  stop(): Promise<void>
}

/**
 * nginx in front of relays, with the active health check that its free edition lacks: a relay whose /readyz fails is removed from the
 * configuration by a reload. Requests that the relay already has finish there.
 */
export async function startNginx(relays: readonly string[]): Promise<Nginx> {
  const binary = await requireNginx()
  const dir = await mkdtemp(join(tmpdir(), 'tollgate-nginx-'))
  const port = await findFreePort()
  const config = join(dir, 'nginx.conf')
  const errors = join(dir, 'error.log')
  const args = ['-p', dir, '-c', config, '-e', errors]
  const write = (down: ReadonlySet<string>): Promise<void> => writeFile(config, toConfig({ dir, port, relays, down }))
  await write(new Set())
  const child = spawn(binary, args, { stdio: 'ignore' })
  const ended = once(child, 'exit')
  while (!(await canConnect(port))) {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${await readFile(errors, 'utf8')}`)
    await wait(20)
  }
  let isStopping = false
  const watch = async (): Promise<void> => {
    let known = ''
    while (!isStopping) {
      const results = await Promise.all(relays.map(async (url) => ((await isReady(url)) ? undefined : url)))
      const down = results.filter((url) => url !== undefined)
      if (down.join(' ') !== known) {
        known = down.join(' ')
        await write(new Set(down))
        await run(binary, [...args, '-s', 'reload'])
      }
      await wait(PROBE_MS)
    }
  }
  const watching = watch()
  return {
    url: `http://127.0.0.1:${port}`,
    readErrors: () => readFile(errors, 'utf8'),
    stop: async () => {
      isStopping = true
      await watching
      child.kill('SIGQUIT')
      await ended
      await rm(dir, { recursive: true, force: true })
    },
  }
}

type Config = { readonly dir: string; readonly port: number; readonly relays: readonly string[]; readonly down: ReadonlySet<string> }

/**
 * `proxy_next_upstream error timeout` without `non_idempotent`: a POST goes to another relay only if it could not be sent at all
 * (https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_next_upstream).
 */
function toConfig({ dir, port, relays, down }: Config): string {
  const servers = relays.map(
    (url) => `    server ${new URL(url).host} max_fails=0${down.has(url) && down.size < relays.length ? ' down' : ''};`,
  )
  return `worker_processes 1;
daemon off;
pid ${dir}/nginx.pid;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${dir}/body;
  proxy_temp_path ${dir}/proxy;
  fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi;
  scgi_temp_path ${dir}/scgi;
  upstream relays {
${servers.join('\n')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://relays;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_next_upstream error timeout;
      proxy_buffering off;
      proxy_read_timeout 300s;
    }
  }
}
`
}
