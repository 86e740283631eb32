/** Runs the ten commands of docs/operations.md on a bare Debian, and checks the result. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { signInOverHttp } from '../apps/server/src/test/http-client.ts'
import { canNestSystems, debianSuite, isUp, makeDebian, startNested } from './nested-systems.ts'
import { checkAddresses, checkFeeds, checkLeaving, waitUntil } from './proxy-checks.ts'

const repository = resolve(import.meta.dirname, '..')
/** A name that needs no DNS. Caddy issues its own certificate for it. */
const domain = 'localhost'
const url = `https://${domain}`
const ports = [80, 443, 3000]
/**
 * The highest exposure from systemd-analyze, in tenths. More means that the unit has lost some of its
 * sandboxing.
 */
const exposureMax = 15

const admin = 'DATA_DIR=/var/lib/astropelago npm run --silent admin --'

if (canNestSystems()) await checkOperations()

async function checkOperations(): Promise<void> {
  // The container shares the machine's network.
  for (const port of ports) await assertFree(port)
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-debian-'))
  const root = join(folder, 'root')
  try {
    makeMachine(root)
    await checkMachine(root)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function checkMachine(root: string): Promise<void> {
  const machine = start(root)
  try {
    await waitUntil(async () => isUp(machine), 'the Debian boots')
    for (const command of tenCommands()) {
      const startMs = performance.now()
      machine.run(command)
      console.log(`  ${seconds(startMs)} s  ${command}`)
    }
    trustCaddy(root)
    await waitUntil(async () => await isReady(), 'the site answers by https')
    assert.match(
      machine.run(`${admin} users show captain`),
      /operator/,
      'the ten commands created no operator',
    )
    // The server started before its operator's account existed. The journal tells warnings from other
    // levels.
    const warnings = machine.run('journalctl --no-pager --output=cat -p warning -u astropelago')
    assert.match(warnings, /nobody is called captain yet/)
    assert.doesNotMatch(warnings, /"level":30/)
    await checkRestart(machine)
    await checkCrash(machine)
    await checkOwner(machine)
    await checkRepair(machine)
    await checkFeeds(url)
    await checkLeaving(url)
    await checkAddresses(url)
    checkUnit(machine)
    await checkNginx(machine, root)
  } catch (error) {
    console.log(isUp(machine) ? machine.tail() : 'It did not boot.')
    throw error
  } finally {
    await machine.stop()
  }
}

async function assertFree(port: number): Promise<void> {
  const server = createServer()
  server.listen(port)
  await once(server, 'listening').catch((cause: unknown) => {
    throw new Error(`Port ${port} of this machine must be free`, { cause })
  })
  server.close()
  await once(server, 'close')
}

function makeMachine(root: string): void {
  const startMs = performance.now()
  makeDebian(root, ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates'])
  const clone = ['clone', '--quiet', '--bare', '--depth=1', `file://${repository}`]
  execFileSync('git', [...clone, join(root, 'root/astropelago.git')])
  console.log(`  ${seconds(startMs)} s  a bare Debian (${debianSuite})`)
}

/** The commands in the guide's first shell block, one per line. */
function tenCommands(): readonly string[] {
  const [, block = ''] = /```sh\n([^`]+)```/.exec(guide()) ?? []
  const commands = block.trim().split('\n')
  assert.equal(commands.length, 10, 'the guide promises ten commands')
  return commands.map((command) =>
    command
      .replace(
        'SITE=sky.example ISLANDS=islands.example',
        `SITE=${domain} ISLANDS=islands.${domain}`,
      )
      .replace('<this repository>', '/root/astropelago.git'),
  )
}

interface Machine {
  /** Runs a command as root. Variables and the folder persist between commands, as in one shell. */
  readonly run: (command: string) => string
  /** The last log lines of the services. */
  readonly tail: () => string
  readonly stop: () => Promise<void>
}

function start(root: string): Machine {
  const { run, stop } = startNested(root, ['--boot'])
  const lines: string[] = []
  return {
    run: (command) => {
      // Each call is a new shell, so repeat the lines that set variables or the folder.
      const before = lines.join('\n')
      const kept = /^(?:(?:\w+=\S+ )+#|cd \S+(?= && ))/.exec(command)?.[0]
      if (kept !== undefined) lines.push(kept)
      return run(`${before}\n${command}`)
    },
    tail: () => run('journalctl --no-pager -n 40 -u astropelago -u caddy || true'),
    stop,
  }
}

function trustCaddy(root: string): void {
  const authority = 'var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt'
  const certificate = readFileSync(join(root, authority), 'utf8')
  setDefaultCACertificates([...getCACertificates(), certificate])
}

async function isReady(): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined)
  return answer?.ok === true
}

/** During a restart, calls wait a moment and are then answered. Saved data is still there. */
async function checkRestart(machine: Machine): Promise<void> {
  const before = await signInOverHttp(url, 'restarted')
  const device = await before.registerDevice()
  const over = new AbortController()
  const failures: number[] = []
  let calls = 0
  const call = async () => {
    while (!over.signal.aborted) {
      const { status } = await fetch(`${url}/api/devices`)
      calls += 1
      if (status !== 200) failures.push(status)
    }
  }
  const calling = [call(), call()]
  await waitUntil(async () => calls > 20, 'calls are answered')
  const from = calls
  machine.run('systemctl restart --no-block astropelago')
  await waitUntil(async () => calls > from + 100, 'calls are answered again')
  over.abort()
  await Promise.all(calling)
  assert.deepEqual(failures, [])
  const after = await signInOverHttp(url, 'restarted')
  assert.deepEqual(
    (await after.listOwnDevices()).map(({ id }) => id),
    [device],
  )
  console.log(`  all of ${calls} calls were answered while the server restarted`)
}

/** Checks that systemd restarts a killed server. */
async function checkCrash(machine: Machine): Promise<void> {
  machine.run('systemctl kill --signal=SIGKILL astropelago')
  const restarts = () => machine.run('systemctl show --property=NRestarts astropelago').trim()
  await waitUntil(async () => restarts() === 'NRestarts=1', 'systemd restarts it')
  await waitUntil(isReady, 'the site answers again')
  console.log('  systemd restarted the server after it was killed')
}

/** Files that root restored from a backup belong to root. The server must take them over. */
async function checkOwner(machine: Machine): Promise<void> {
  machine.run('systemctl stop astropelago')
  machine.run('chown root: /var/lib/astropelago/astropelago.sqlite*')
  machine.run('systemctl start astropelago')
  await waitUntil(isReady, 'the server opens files of root')
  console.log('  the server took over files that root restored')
}

/** Checks the guide's last resort for a damaged database file: the server runs on the repaired one. */
async function checkRepair(machine: Machine): Promise<void> {
  machine.run('apt-get install -y --no-install-recommends sqlite3')
  const block = /let SQLite save[^`]+`sqlite3`[^`]+```sh\n([^`]+)```/.exec(guide())?.[1] ?? ''
  const commands = block.trim().split('\n')
  assert.equal(commands.at(-1)?.endsWith('check'), true, 'the guide does not end with a check')
  for (const command of commands.slice(0, -1)) machine.run(command)
  await waitUntil(isReady, 'the server starts on the repaired file')
  machine.run(commands.at(-1) ?? '')
  console.log('  the file that sqlite3 repaired is sound')
}

/**
 * Replaces Caddy with nginx by the guide's commands. certbot needs the internet, so the certificates are
 * made here.
 */
async function checkNginx(machine: Machine, root: string): Promise<void> {
  machine.run('systemctl disable --now caddy')
  const block = /\*\*With nginx\*\*[^`]+(?:`caddy`)[^`]+```sh\n([^`]+)```/.exec(guide())?.[1] ?? ''
  const commands = block.trim().split('\n')
  assert.equal(commands.at(-1), 'nginx -t && systemctl restart nginx', 'the guide installs nginx')
  for (const command of commands) {
    if (!command.startsWith('certbot ')) machine.run(command)
    else if (command.includes('-d "$SITE"')) makeCertificate(machine, domain, domain)
    else makeCertificate(machine, `islands.${domain}`, `*.islands.${domain}`)
  }
  const certificates = [domain, `islands.${domain}`].map((name) =>
    readFileSync(join(root, certificatePath(name)), 'utf8'),
  )
  setDefaultCACertificates([...getCACertificates(), ...certificates])
  await waitUntil(isReady, 'the site answers through nginx')
  await checkFeeds(url)
  // No resolver knows names below localhost.
  const island = get({
    host: '127.0.0.1',
    servername: `somewhere.islands.${domain}`,
    headers: {
      host: `somewhere.islands.${domain}`,
      accept: 'text/html',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
    ca: certificates,
  })
  const [answer] = await once(island, 'response')
  answer.resume()
  assert.match(answer.headers.location, /^https:\/\/localhost\/islands\/somewhere\/enter/)
  console.log('  nginx serves the site and the islands in place of Caddy')
}

function certificatePath(name: string): string {
  return `etc/letsencrypt/live/${name}/fullchain.pem`
}

function makeCertificate(machine: Machine, name: string, host: string): void {
  const folder = `/etc/letsencrypt/live/${name}`
  machine.run(
    `mkdir -p ${folder} && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=${name}' ` +
      `-addext 'subjectAltName=DNS:${host}' -keyout ${folder}/privkey.pem -out ${folder}/fullchain.pem`,
  )
}

function guide(): string {
  return readFileSync(join(repository, 'docs/operations.md'), 'utf8')
}

/** Checks the unit's sandbox with this newer systemd, and that nobody else can read the data folder. */
function checkUnit(machine: Machine): void {
  const unit = '/etc/systemd/system/astropelago.service'
  machine.run(`systemd-analyze verify --man=no ${unit}`)
  const judged = machine.run(`systemd-analyze security --threshold=${exposureMax} astropelago`)
  assert.match(judged, /Overall exposure level/)
  console.log(`  ${judged.trim().split('\n').at(-1)?.replace('→ ', '')}`)
  assert.equal(machine.run('stat -L -c %a /var/lib/astropelago').trim(), '700')
  assert.equal(machine.run('stat -c %a /etc/astropelago.env').trim(), '600')
}

function seconds(startMs: number): string {
  return ((performance.now() - startMs) / 1000).toFixed(0).padStart(4)
}
