import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'
import { debianPgbouncer, debianPostgres } from './debian-postgres.ts'
import { installLocked, longTestsFolder, postgresFolder } from './locked-folder.ts'

/** A program that the tests run, and its Debian package. */
interface Tool {
  readonly name: string
  readonly debianPackage: string
  /** Whether the tests only get slower without it. */
  readonly isSpared?: true
  readonly find: () => string | undefined
}

/** The path of Chromium: CHROMIUM_PATH, the system's own, or Playwright's. */
export function findChromium(): string | undefined {
  const candidates = [
    process.env['CHROMIUM_PATH'],
    onPath('chromium'),
    onPath('chromium-browser'),
    onPath('google-chrome'),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    chromium.executablePath(),
  ]
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path))
}

/**
 * The Chromium without a window, which opens pages three times as fast. Only Debian packages it separately.
 * Elsewhere this is the full browser.
 */
export function findHeadlessChromium(): string | undefined {
  return process.env['CHROMIUM_PATH'] ?? onPath('chromium-headless-shell') ?? findChromium()
}

const chromiumTool: Tool = { name: 'chromium', debianPackage: 'chromium', find: findChromium }
const linuxTools: readonly Tool[] = [
  { name: 'busybox', debianPackage: 'busybox', find: () => onPath('busybox') },
  {
    name: 'chromium-headless-shell',
    debianPackage: 'chromium-headless-shell',
    isSpared: true,
    find: () => onPath('chromium-headless-shell'),
  },
  { name: 'curl', debianPackage: 'curl', find: () => onPath('curl') },
  { name: 'dash', debianPackage: 'dash', find: () => onPath('dash') },
  { name: 'script', debianPackage: 'bsdutils', find: () => onPath('script') },
  { name: 'strace', debianPackage: 'strace', find: () => onPath('strace') },
  { name: 'systemd-analyze', debianPackage: 'systemd', find: () => onPath('systemd-analyze') },
]

/**
 * The path of wrk, which `npm run bench` uses as its load generator.
 * @throws Error that says how to install it
 */
export function findWrk(): string {
  const path = onPath('wrk')
  if (path !== undefined) return path
  throw new Error(
    'The bench needs wrk: `apt-get install wrk` on Debian, or https://github.com/wg/wrk',
  )
}

export function findSshd(): string {
  const path = ifExecutable('/usr/sbin/sshd') ?? onPath('sshd')
  if (path !== undefined) return path
  throw new Error('The bench of the relay needs sshd: `apt-get install openssh-server` on Debian')
}

/** The path of Firefox: FIREFOX_PATH, or the system's own. */
export function findFirefox(): string | undefined {
  return process.env['FIREFOX_PATH'] ?? onPath('firefox-esr') ?? onPath('firefox')
}

/** Finds or installs what `npm run test:long` needs, by the same rules. */
export function provideLongTestTools(): void {
  installLocked(longTestsFolder)
  provide([
    { name: 'firefox', debianPackage: 'firefox-esr', find: findFirefox },
    {
      name: 'PostgreSQL 15',
      debianPackage: 'postgresql-15',
      find: () => ifExecutable(debianPostgres),
    },
    {
      name: 'pgbouncer',
      debianPackage: 'pgbouncer',
      find: () => ifExecutable(debianPgbouncer),
    },
    { name: 'openssl', debianPackage: 'openssl', find: () => onPath('openssl') },
    { name: 'caddy', debianPackage: 'caddy', find: () => onPath('caddy') },
    { name: 'nginx', debianPackage: 'nginx', find: () => ifExecutable('/usr/sbin/nginx') },
    {
      name: 'fcgiwrap',
      debianPackage: 'fcgiwrap',
      find: () => ifExecutable('/usr/sbin/fcgiwrap'),
    },
    { name: 'git', debianPackage: 'git', find: () => onPath('git') },
    {
      name: 'sshd',
      debianPackage: 'openssh-server',
      find: () => ifExecutable('/usr/sbin/sshd'),
    },
    { name: 'ssh', debianPackage: 'openssh-client', find: () => onPath('ssh') },
    {
      name: 'debootstrap',
      debianPackage: 'debootstrap',
      find: () => ifExecutable('/usr/sbin/debootstrap'),
    },
    {
      name: 'systemd-nspawn',
      debianPackage: 'systemd-container',
      find: () => onPath('systemd-nspawn'),
    },
  ])
}

/**
 * Finds every program that the tests need, installs missing ones, and prints which.
 * @throws Error naming a program that can't be installed
 */
export function provideSystemTools(): void {
  installLocked(postgresFolder)
  provide([chromiumTool, ...(process.platform === 'linux' ? linuxTools : [])])
}

function provide(tools: readonly Tool[]): void {
  const missing = tools.filter((tool) => tool.find() === undefined)
  if (missing.length > 0) install(missing)
  for (const tool of tools) {
    const path = tool.find()
    if (path === undefined && tool.isSpared !== true) {
      throw new Error(`The tests need ${tool.name}. Install it and try again.`)
    }
    console.log(`  ${tool.name}: ${path ?? 'none, which only makes the tests slower'}`)
  }
}

function install(missing: readonly Tool[]): void {
  const canUseApt = process.getuid?.() === 0 && existsSync('/etc/debian_version')
  if (canUseApt) {
    const packages = missing.map((tool) => tool.debianPackage)
    console.log(`  installing with apt: ${packages.join(', ')}`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['update', '-q'], { stdio: ['ignore', 'ignore', 'inherit'], env })
    const apt = ['install', '-q', '-y', '--no-install-recommends', ...packages]
    execFileSync('apt-get', apt, { stdio: ['ignore', 'ignore', 'inherit'], env })
  } else if (missing.includes(chromiumTool)) {
    console.log('  installing Chromium with Playwright')
    spawnSync('npx', ['playwright', 'install', 'chromium'], { stdio: 'inherit' })
  }
}

function onPath(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = ifExecutable(join(folder, name))
    if (path !== undefined) return path
  }
  return undefined
}

function ifExecutable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK)
    return path
  } catch {
    return undefined
  }
}
