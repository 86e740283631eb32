import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findSshd } from '../../scripts/system-tools.ts'

export interface SshForward {
  readonly url: string
  readonly stop: () => void
}

/** The alternative without a relay: `ssh -R` from home to this machine's OpenSSH server. */
export async function startSshForward(folder: string, service: URL): Promise<SshForward> {
  const sshd = findSshd()
  const home = join(folder, 'ssh')
  mkdirSync(home, { mode: 0o700 })
  const key = join(home, 'key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  copyFileSync(`${key}.pub`, join(home, 'authorized'))
  chmodSync(join(home, 'authorized'), 0o600)
  const [sshPort, port] = [await freePort(), await freePort()]
  const config = join(home, 'config')
  writeFileSync(
    config,
    [
      `ListenAddress 127.0.0.1:${sshPort}`,
      `HostKey ${key}`,
      `AuthorizedKeysFile ${join(home, 'authorized')}`,
      `PidFile ${join(home, 'pid')}`,
      'StrictModes no',
      'UsePAM no',
      'PermitRootLogin prohibit-password',
      '',
    ].join('\n'),
  )
  // sshd needs this folder to separate privileges. Normally the package's service creates it.
  mkdirSync('/run/sshd', { recursive: true })
  const running: ChildProcess[] = []
  const run = (program: string, args: readonly string[]) => {
    running.push(spawn(program, args, { stdio: 'ignore' }))
  }
  const stop = () => {
    for (const child of running) child.kill()
  }
  run(sshd, ['-D', '-f', config])
  const options = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'ConnectionAttempts=20',
  ]
  const login = `${userInfo().username}@127.0.0.1`
  const forward = `127.0.0.1:${port}:${service.host}`
  const from = ['-F', 'none', '-N', '-i', key, '-p', `${sshPort}`, '-R', forward]
  run('ssh', [...from, ...options.flatMap((option) => ['-o', option]), login])
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isAnswering(url)) return { url, stop }
    await wait(100)
  }
  stop()
  throw new Error('ssh -R does not reach the service')
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port')
  return address.port
}
