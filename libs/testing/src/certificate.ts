import { randomUUID } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
// @peculiar/x509 does not load without it.
import 'reflect-metadata'
import { X509CertificateGenerator, BasicConstraintsExtension, SubjectAlternativeNameExtension } from '@peculiar/x509'

export type TestCertificate = { readonly cert: string; readonly key: string }

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY_MS = 86_400_000

/** A self-signed certificate of a local server, for `localhost` unless another name is given. */
export async function createCertificate(name = 'localhost'): Promise<TestCertificate> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    // OpenSSL finds only the first of two trusted certificates with the same subject.
    name: `CN=${name}, O=${randomUUID()}`,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new BasicConstraintsExtension(true),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: name },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  })
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return { cert: certificate.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n` }
}

/** Makes this process trust a certificate, as NODE_EXTRA_CA_CERTS does at start. */
export function trustCertificate({ cert }: TestCertificate): void {
  setDefaultCACertificates([...getCACertificates('default'), cert])
}
