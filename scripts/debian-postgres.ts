import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../apps/server/src/test/listen.ts'
import { hurriedSettings, type OwnPostgres, startPostgres } from './start-postgres.ts'
import {
  type Identity,
  makeFolder,
  startThrowaway,
  type Throwaway,
  unlessRoot,
} from './throwaway-process.ts'

/** Debian's package for the oldest supported version installs into this folder. */
const binaries = '/usr/lib/postgresql/15/bin'
export const debianPostgres = join(binaries, 'postgres')
export const debianPgbouncer = '/usr/sbin/pgbouncer'

const certificateFile = 'certificate.pem'

interface DebianPostgres extends OwnPostgres {
  /** The certificate that a verifying client must trust. */
  readonly certificate: string
}

/** Debian's PostgreSQL 15 with an empty data folder, on a free port. Everything is deleted at the end. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const identity = unlessRoot()
  const folder = makeFolder(identity)
  makeCertificate(folder, identity)
  const certificate = join(folder, certificateFile)
  const postgres = await startPostgres({
    binaries,
    settings: [
      'ssl=on',
      `ssl_cert_file=${certificate}`,
      `ssl_key_file=${join(folder, 'key.pem')}`,
      ...hurriedSettings,
    ],
  })
  return {
    ...postgres,
    certificate,
    remove: async () => {
      await postgres.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A self-signed certificate for TLS. Clients that trust it need the file. */
function makeCertificate(folder: string, identity: Identity | undefined): void {
  const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out ${certificateFile}`
  execFileSync('openssl', request.split(/\s+/), { ...identity, cwd: folder, stdio: 'ignore' })
}

interface Pgbouncer extends Throwaway {
  readonly url: string
}

/** Debian's pgbouncer in front of a database. It picks a connection for each transaction. */
export async function startPgbouncer(databaseUrl: string): Promise<Pgbouncer> {
  const database = new URL(databaseUrl)
  const identity = unlessRoot()
  const folder = makeFolder(identity)
  const port = await freePort()
  writeFileSync(join(folder, 'users.txt'), `"${database.username}" ""\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${database.port}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = users.txt
pool_mode = transaction
max_client_conn = 2000
# Each test has a database of its own, whose connections are of no use after it.
server_idle_timeout = 5
`,
  )
  const process = await startThrowaway({
    program: debianPgbouncer,
    args: ['pgbouncer.ini'],
    identity,
    folder,
    port,
    stopSignal: 'SIGTERM',
  })
  database.port = String(port)
  return { ...process, url: database.href }
}
