/**
 * Pastes the commands that Connect shows for Linux into Debian, without systemd and with it: as root and as
 * other users, twice, with a wrong token, and before a restart of the machine.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { agentPath, getRelayAgent } from '@astropelago/contract/relay-agent'
import * as v from 'valibot'
import { type HttpClient, signInOverHttp } from '../apps/server/src/test/http-client.ts'
import { listen } from '../apps/server/src/test/listen.ts'
import { heartbeatJob } from '../apps/web/src/devices/heartbeat-commands/linux-heartbeat.ts'
import {
  linuxInstall,
  type LinuxJob,
  linuxRemoval,
} from '../apps/web/src/devices/heartbeat-commands/linux-install.ts'
import { agentJob } from '../apps/web/src/devices/relay-commands/linux-agent.ts'
import {
  canNestSystems,
  debianSuite,
  isUp,
  makeDebian,
  type Nested,
  startNested,
} from './nested-systems.ts'
import { waitUntil } from './proxy-checks.ts'
import { RelayStand, type RelayedIsland } from './relay/relay-stand.ts'

const packages = [
  'systemd',
  'systemd-sysv',
  'dbus',
  'libpam-systemd',
  'ca-certificates',
  'curl',
  'nodejs',
]
/** Two minutes, plus time for a slow machine. */
const nextHeartbeatMs = 200_000

interface Pasted {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

async function checkConnect(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-connect-'))
  const root = join(folder, 'root')
  const stand = await RelayStand.open()
  const home = createServer((_request, response) => response.end('at home'))
  try {
    makeDebian(root, packages)
    // A normal installer writes this file.
    writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n')
    console.log(`  a Debian (${debianSuite}) with curl and Node`)
    const session = await Session.open(stand, await listen(home))
    await checkWithoutSystemd(root, session)
    await checkWithSystemd(root, session)
  } finally {
    home.closeAllConnections()
    home.close()
    await stand.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A user's devices and islands, and the commands that the pages show for them. */
class Session {
  readonly stand: RelayStand
  readonly #client: HttpClient
  readonly #service: string
  readonly #sha256: string

  private constructor(stand: RelayStand, client: HttpClient, service: string, sha256: string) {
    this.stand = stand
    this.#client = client
    this.#service = service
    this.#sha256 = sha256
  }

  static async open(stand: RelayStand, service: string): Promise<Session> {
    const client = await signInOverHttp(stand.url, 'navigator')
    const answer = await fetch(new URL(getRelayAgent.path, stand.url))
    const { sha256 } = v.parse(getRelayAgent.answers[200], await answer.json())
    assert.equal((await fetch(new URL(agentPath, stand.url))).status, 200)
    return new Session(stand, client, service, sha256)
  }

  async makeHeartbeat() {
    const deviceId = await this.#client.registerDevice()
    const input = { publicUrl: this.stand.url, deviceId, offsetSeconds: 0, schedule: null }
    const token = await this.#client.createToken(deviceId)
    return {
      deviceId,
      job: heartbeatJob({ ...input, token }),
      wrong: heartbeatJob({ ...input, token: `${token.slice(0, -3)}xyz` }),
    }
  }

  async lastSeen(deviceId: string): Promise<string | null> {
    const devices = await this.#client.listOwnDevices()
    return devices.find(({ id }) => id === deviceId)?.lastSeenAt ?? null
  }

  /** Resolves when each device has reported again without further help. */
  async reportAgain(deviceIds: readonly string[]): Promise<void> {
    const before = await Promise.all(deviceIds.map((id) => this.lastSeen(id)))
    const startMs = performance.now()
    for (const [index, id] of deviceIds.entries()) {
      const isLater = async () => (await this.lastSeen(id)) !== before[index]
      await waitUntil(isLater, `device ${index} reports by itself`, nextHeartbeatMs)
    }
    console.log(`  all reported by themselves within ${seconds(startMs)} s`)
  }

  async makeAgent() {
    const island = await this.stand.makeIsland(this.#client)
    const job = agentJob({
      publicUrl: this.stand.url,
      token: readFileSync(island.tokenFile, 'utf8').trim(),
      islandId: island.id,
      sha256: this.#sha256,
      service: { kind: 'address', url: this.#service },
      tcp: undefined,
    })
    return { island, job }
  }

  async letsIn({ host }: RelayedIsland): Promise<boolean> {
    const { status, body } = await this.stand.visit(host)
    return status === 200 && body.toString() === 'at home'
  }
}

/** A machine without systemd as its first process, and at first without cron. */
async function checkWithoutSystemd(root: string, session: Session): Promise<void> {
  let machine = startNested(root, ['--as-pid2', 'sleep', 'infinity'])
  try {
    await waitUntil(async () => isThere(machine), 'the Debian without systemd starts')
    machine.run('useradd -m -s /bin/sh nova')
    const [ofRoot, ofNova] = [await session.makeHeartbeat(), await session.makeHeartbeat()]
    for (const user of ['root', 'nova']) {
      await expectNothing(machine, user, ofRoot.job, /there is no cron here.* apt install cron /)
    }
    machine.run('apt-get install -y -q --no-install-recommends cron >/dev/null')
    await expectNothing(
      machine,
      'nova',
      ofNova.job,
      /cron is installed, but it does not run\..* service cron start/,
    )
    machine.run('service cron start')
    await expectNothing(machine, 'nova', ofNova.wrong, /the server does not know this token\./)
    console.log(
      '  without cron, with one that does not run, and with a wrong token nothing is installed',
    )

    for (const [user, { job }] of [
      ['root', ofRoot],
      ['nova', ofNova],
    ] as const) {
      for (const _time of [1, 2]) await expectDone(machine, user, job, 'cron')
      assert.equal(crontab(machine, user).split('\n').length, 1)
    }
    const { island, job } = await session.makeAgent()
    for (const _time of [1, 2]) await expectDone(machine, 'nova', job, 'cron')
    await waitUntil(() => session.letsIn(island), 'the agent that cron keeps lets visitors in')
    await session.reportAgain([ofRoot.deviceId, ofNova.deviceId])

    await machine.stop()
    machine = startNested(root, ['--as-pid2', 'sleep', 'infinity'])
    await waitUntil(async () => isThere(machine), 'it starts again')
    assert.equal(await session.letsIn(island), false)
    machine.run('service cron start')
    await waitUntil(() => session.letsIn(island), 'cron starts the agent after a restart')
    console.log('  cron started the agent after a restart')

    await remove(machine, 'root', ofRoot.job)
    await remove(machine, 'nova', ofNova.job)
    await remove(machine, 'nova', job)
    await waitUntil(async () => !(await session.letsIn(island)), 'the agent is gone')
    assert.deepEqual([crontab(machine, 'root'), crontab(machine, 'nova')], ['', ''])
    expectNoFiles(machine, ['root', 'nova'])
  } finally {
    await machine.stop()
  }
}

/**
 * A machine that boots with systemd and cron: for root, for a user with a systemd of their own, and for one
 * without.
 */
async function checkWithSystemd(root: string, session: Session): Promise<void> {
  let machine = await boot(root)
  try {
    machine.run('useradd -m -s /bin/bash rigel; loginctl enable-linger nova')
    await waitUntil(
      async () => machine.run('ls /run/user').includes('1000'),
      'the systemd of a user starts',
    )
    const [ofRoot, ofNova, ofRigel] = [
      await session.makeHeartbeat(),
      await session.makeHeartbeat(),
      await session.makeHeartbeat(),
    ]
    for (const user of ['root', 'nova']) {
      await expectNothing(machine, user, ofRoot.wrong, /the server does not know this token\./)
    }
    for (const _time of [1, 2]) {
      await expectDone(machine, 'root', ofRoot.job, 'systemd')
      await expectDone(machine, 'nova', ofNova.job, 'systemd')
      await expectDone(machine, 'rigel', ofRigel.job, 'cron')
    }
    assert.match(machine.run('systemctl list-timers --all'), /astropelago-/)
    const [rootAgent, novaAgent] = [await session.makeAgent(), await session.makeAgent()]
    for (const _time of [1, 2]) {
      await expectDone(machine, 'root', rootAgent.job, 'systemd')
      await expectDone(machine, 'nova', novaAgent.job, 'systemd')
    }
    const letIn = async () =>
      (await session.letsIn(rootAgent.island)) && (await session.letsIn(novaAgent.island))
    await waitUntil(letIn, 'the agents let visitors in')
    const devices = [ofRoot.deviceId, ofNova.deviceId, ofRigel.deviceId]
    await session.reportAgain(devices)

    // The paste fails halfway, when the token's file is already written.
    machine.run(
      'mount --bind /etc/systemd/system /etc/systemd/system && mount -o remount,ro,bind /etc/systemd/system',
    )
    const { job: another } = await session.makeHeartbeat()
    await expectNothing(machine, 'root', another, /can't be written/)
    machine.run('umount /etc/systemd/system')
    assert.match(machine.run('systemctl --failed --no-legend | wc -l'), /^0$/m)

    await machine.stop()
    machine = await boot(root)
    await waitUntil(letIn, 'systemd starts the agents after a restart')
    await session.reportAgain(devices)
    const warnings = machine.run(
      'journalctl -b --no-pager -o cat -g astropelago -p warning || true',
    )
    assert.equal(warnings.trim(), '', 'systemd reports no warning')

    await remove(machine, 'root', ofRoot.job)
    await remove(machine, 'nova', ofNova.job)
    await remove(machine, 'rigel', ofRigel.job)
    await remove(machine, 'root', rootAgent.job)
    await remove(machine, 'nova', novaAgent.job)
    const units = 'systemctl list-units --all --no-legend; ls /etc/systemd/system'
    assert.doesNotMatch(machine.run(units), /astropelago/)
    assert.equal(crontab(machine, 'rigel'), '')
    expectNoFiles(machine, ['root', 'nova', 'rigel'])
    console.log('  systemd of the machine, of a user, and cron beside them: all is gone again')
  } finally {
    await machine.stop()
  }
}

async function boot(root: string): Promise<Nested> {
  const machine = startNested(root, ['--boot'])
  await waitUntil(async () => isUp(machine), 'the Debian boots')
  return machine
}

function isThere({ run }: Nested): boolean {
  try {
    return run('echo yes') === 'yes\n'
  } catch {
    return false
  }
}

/** Feeds the text to a shell as a terminal would. */
async function paste(machine: Nested, user: string, input: string): Promise<Pasted> {
  const home = user === 'root' ? '/root' : `/home/${user}`
  const as = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--reset-env']
  const child = spawn(...machine.command([...as, 'env', `HOME=${home}`, 'sh']))
  const ended = once(child, 'close')
  child.stdin.end(`cd\n${input}\n`)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  await ended
  return { status: child.exitCode, stdout, stderr }
}

async function expectDone(machine: Nested, user: string, job: LinuxJob, by: string): Promise<void> {
  const { status, stdout, stderr } = await paste(machine, user, linuxInstall(job))
  // The agent's check says how long it has been watching.
  const errors = stderr.replaceAll(/^the connection has been open for \d+ s\n/gm, '')
  assert.deepEqual([status, errors], [0, ''], `${user}: ${stdout}`)
  assert.match(stdout, new RegExp(`^Done: .*, by ${by}, also after a restart\\.$`, 'm'))
}

/** @param sentence the message that the paste must print */
async function expectNothing(
  machine: Nested,
  user: string,
  job: LinuxJob,
  sentence: RegExp,
): Promise<void> {
  const before = filesOf(machine)
  const { status, stdout, stderr } = await paste(machine, user, linuxInstall(job))
  assert.deepEqual([status, stdout], [1, ''], `${user}: ${stderr}`)
  assert.match(stderr, /^Nothing was installed: /m)
  assert.match(stderr, sentence)
  assert.equal(filesOf(machine), before, 'files were left behind')
}

async function remove(machine: Nested, user: string, job: LinuxJob): Promise<void> {
  const { status, stdout, stderr } = await paste(machine, user, linuxRemoval(job))
  assert.deepEqual([status, stdout, stderr], [0, 'Removed.\n', ''], user)
}

function crontab(machine: Nested, user: string): string {
  return machine.run(`crontab -u ${user} -l 2>/dev/null || true`).trim()
}

function filesOf(machine: Nested): string {
  return machine.run(
    'find /root /home /etc/systemd/system /var/spool/cron -type f -printf "%p %m %s\\n" | sort; ls /tmp',
  )
}

function expectNoFiles(machine: Nested, users: readonly string[]): void {
  const homes = users.map((user) => (user === 'root' ? '/root' : `/home/${user}`)).join(' ')
  const found = machine.run(`find ${homes} -path '*astropelago*'`)
  assert.equal(found, '', 'our files were left behind')
}

function seconds(startMs: number): string {
  return ((performance.now() - startMs) / 1000).toFixed(0)
}

if (canNestSystems()) await checkConnect()
