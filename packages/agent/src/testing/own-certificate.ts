import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A key and a certificate for `localhost` that nobody else has signed. */
export function ownCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', '-x509', ...kind, ...files, '-subj', '/CN=localhost'], {
    stdio: 'ignore',
  })
  const pems = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(folder, { recursive: true })
  return pems
}
