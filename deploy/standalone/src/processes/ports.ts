import { isPortTaken } from '@tollgate/servers/free-port'

export type Ports = {
  readonly public: number
  readonly controlPlane: number
  readonly internal: number
  readonly worker: number
  readonly modelServer: number
}

/** The public port, followed by the ports on the loopback interface. */
export function portsFrom(first: number): Ports {
  return { public: first, controlPlane: first + 1, internal: first + 2, worker: first + 4, modelServer: first + 5 }
}

/** Throws a one-line error that names the port and the remedy. */
export async function requireFreePorts(ports: Ports, isDemo: boolean): Promise<void> {
  const needed = [ports.public, ports.controlPlane, ports.internal, ports.worker, ...(isDemo ? [ports.modelServer] : [])]
  for (const port of needed) {
    if (await isPortTaken(port))
      throw new Error(`port ${port} is taken by another program; stop it or choose other ports: PORT=${ports.public + 1000} npm start`)
  }
}
