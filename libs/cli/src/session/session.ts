import { createAdminClient, type AdminClient } from '@tollgate/admin-client/client'
import { resultOf, type Call, type DataOf } from '@tollgate/admin-client/result'
import type { CliEnv } from '@tollgate/config/cli-env'
import { CliError, EXIT, toCliError } from '../failure.ts'
import type { Format } from '../output/print.ts'
import { readProfiles, type Profile } from './profiles.ts'

/** Options that every command has. */
export type CommonOptions = {
  readonly profile?: string
  readonly output: Format
  readonly timeout: number
}

/** A signed-in connection to one installation. */
export class Session {
  readonly profile: Profile
  readonly client: AdminClient

  constructor(profile: Profile, timeoutSeconds: number) {
    const { address, access_token: accessToken, user_id: userId } = profile
    this.profile = profile
    this.client = createAdminClient({
      address,
      timeoutMs: timeoutSeconds * 1000,
      ...(accessToken === '' ? {} : { accessToken, userId }),
    })
  }

  get isAdmin(): boolean {
    return this.profile.role >= 10
  }

  /** The data of a call; a call without any ends the program. */
  async data<Body>(call: Call<Body>): Promise<DataOf<Body>> {
    const result = await resultOf(call)
    if (result.ok) return result.data
    const { failure } = result
    const isKnown = failure.kind !== 'refused' || (await this.#isSignedIn())
    throw toCliError(isKnown ? failure : { ...failure, status: 401 }, this.profile.address)
  }

  /** Existing consoles read refusals with status 200, that of an access token too, so the status does not tell. */
  async #isSignedIn(): Promise<boolean> {
    return (await resultOf(this.client.GET('/api/user/self'))).ok
  }
}

export const profileName = ({ profile }: CommonOptions, env: CliEnv): string => profile ?? (env.profile === '' ? 'default' : env.profile)

/** The session of the environment's address and token, else of the chosen profile. */
export function openSession(options: CommonOptions, env: CliEnv): Session {
  if (env.address !== '') {
    const profile = { address: env.address, user_id: Number(env.user), access_token: env.accessToken, role: 100 }
    return new Session(profile, options.timeout)
  }
  const name = profileName(options, env)
  const profile = readProfiles(env.folder)[name]
  if (profile === undefined) throw new CliError(`no profile ${name}. Sign in first: tollgate login <address> --user <id>`, EXIT.notSignedIn)
  return new Session(profile, options.timeout)
}

/** The site's status; a server without the fields that only Tollgate has is another one. */
export async function readSite(session: Session) {
  const site = await session.data(session.client.GET('/api/status'))
  const isTollgate = typeof site === 'object' && Array.isArray((site as { image_hosts?: unknown }).image_hosts) // what others lack
  if (!isTollgate)
    throw new CliError(`${session.profile.address} does not answer like Tollgate: its status has other fields`, EXIT.otherServer)
  return site
}
