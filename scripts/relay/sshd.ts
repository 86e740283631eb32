/** Debian's sshd at home, as a plain TCP service. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { takeIslandPort } from '@astropelago/contract/relay-ports'
import * as v from 'valibot'
import { signInOverHttp } from '../../apps/server/src/test/http-client.ts'
import { freePort } from '../../apps/server/src/test/listen.ts'
import { makeFolder, startThrowaway } from '../throwaway-process.ts'
import { RelayStand } from './relay-stand.ts'

const command = 'tee /dev/stderr | sha256sum; exit 7'
const sentBytes = 32 * 2 ** 20

interface Sshd {
  readonly port: number
  readonly folder: string
  readonly stop: () => Promise<void>
}

/** Accepts the key in its folder, for the user who runs this. */
async function startSshd(): Promise<Sshd> {
  const folder = makeFolder(undefined)
  const port = await freePort()
  for (const name of ['host', 'guest']) {
    const key = ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]
    execFileSync('ssh-keygen', key)
  }
  copyFileSync(join(folder, 'guest.pub'), join(folder, 'guests'))
  // sshd needs this folder to separate privileges. Normally the package's service creates it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const configuration = join(folder, 'sshd_config')
  writeFileSync(
    configuration,
    `ListenAddress 127.0.0.1
Port ${port}
HostKey ${join(folder, 'host')}
AuthorizedKeysFile ${join(folder, 'guests')}
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
`,
  )
  const sshd = await startThrowaway({
    program: '/usr/sbin/sshd',
    args: ['-D', '-e', '-f', configuration],
    folder,
    port,
    stopSignal: 'SIGTERM',
  })
  return { port, folder, stop: sshd.stop }
}

/** Connects through an island's own port, which the agent carries with --tcp. */
export async function checkSshd(): Promise<void> {
  const sshd = await startSshd()
  const islandPort = await freePort()
  const stand = await RelayStand.open({ RELAY_TCP_PORTS: `${islandPort}-${islandPort}` })
  try {
    const host = await signInOverHttp(stand.url, 'captain')
    const island = await stand.makeIsland(host)
    await stand.runAgent(island, { args: ['--tcp', `127.0.0.1:${sshd.port}`] })
    const taken = await host.call('POST', takeIslandPort.path.replace(':id', island.id))
    const { address } = v.parse(takeIslandPort.answers[200], await taken.json())
    assert.ok(address?.endsWith(`:${islandPort}`))
    await checkSession(sshd, islandPort)
  } finally {
    await stand.close()
    await sshd.stop()
  }
}

/** A session that carries a lot in both directions and reports its command's exit status. */
async function checkSession({ folder }: Sshd, port: number): Promise<void> {
  const key = [
    '-F',
    'none',
    '-o',
    'BatchMode=yes',
    '-o',
    'LogLevel=ERROR',
    '-i',
    join(folder, 'guest'),
  ]
  const trust = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null']
  const ssh = spawn(
    'ssh',
    [...key, '-p', String(port), ...trust, `${userInfo().username}@127.0.0.1`, command],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const bytes = randomBytes(sentBytes)
  const sum = createHash('sha256')
  ssh.stderr.on('data', (chunk: Buffer) => sum.update(chunk))
  const said = text(ssh.stdout)
  const code = new Promise<number | null>((resolve) => ssh.once('close', resolve))
  ssh.stdin.end(bytes)
  const expected = createHash('sha256').update(bytes).digest('hex')
  assert.equal(await code, 7)
  assert.equal((await said).split(' ', 1)[0], expected)
  assert.equal(sum.digest('hex'), expected)
  console.log('  sshd: a session carried 32 MiB there and back')
}
