import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../apps/server/src/test/listen.ts'
import {
  type Identity,
  makeFolder,
  startThrowaway,
  type Throwaway,
  unlessRoot,
} from './throwaway-process.ts'

/** Where Debian's package puts the oldest version that we promise to run on. */
const binaries = '/usr/lib/postgresql/15/bin'
export const debianPostgres = join(binaries, 'postgres')
export const debianPgbouncer = '/usr/sbin/pgbouncer'

const user = 'astropelago'
const certificateFile = 'certificate.pem'

interface Database extends Throwaway {
  readonly port: number
  /** Of the database that is always there. */
  readonly url: string
}

/** Debian's PostgreSQL 15 with no data, on a free port. Nothing of it outlives it. */
export async function startDebianPostgres(): Promise<Database & { readonly certificate: string }> {
  // Both programs refuse to run as root; the package brings the user.
  const identity = unlessRoot('postgres')
  const folder = makeFolder(identity)
  const dataDir = join(folder, 'data')
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', dataDir, '-U', user, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { ...identity, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  makeCertificate(folder, identity)
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    'ssl=on',
    `ssl_cert_file=${join(folder, certificateFile)}`,
    `ssl_key_file=${join(folder, 'key.pem')}`,
    // Without a sync nothing survives a power cut, which no test makes.
    'fsync=off',
    'full_page_writes=off',
  ]
  const process = await startThrowaway({
    program: debianPostgres,
    args: ['-D', dataDir, ...settings.flatMap((setting) => ['-c', setting])],
    identity,
    folder,
    port,
    // Its fast shutdown: clients are sent away.
    stopSignal: 'SIGINT',
  })
  return {
    ...process,
    port,
    url: `postgres://${user}@127.0.0.1:${port}/postgres`,
    certificate: join(folder, certificateFile),
  }
}

/** For TLS, signed by itself: whoever trusts it has the file. */
function makeCertificate(folder: string, identity: Identity | undefined): void {
  const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out ${certificateFile}`
  execFileSync('openssl', request.split(/\s+/), { ...identity, cwd: folder, stdio: 'ignore' })
}

/** Debian's pgbouncer before a database: each transaction gets a connection of its own choice. */
export async function startPgbouncer(database: Database): Promise<Database> {
  const identity = unlessRoot('postgres')
  const folder = makeFolder(identity)
  const port = await freePort()
  writeFileSync(join(folder, 'users.txt'), `"${user}" ""\n`)
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
  return { ...process, port, url: `postgres://${user}@127.0.0.1:${port}/postgres` }
}
