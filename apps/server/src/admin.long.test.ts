import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { sendHeartbeatOverHttp, signInOverHttp } from './test/http-client.ts'
import { testPassword } from './test/factories.ts'
import { runToEnd } from './test/launch-server.ts'
import { isOnPostgres, makeTempDir, openTestDatabase } from './test/open-test-storage.ts'
import { runServer } from './test/run-server.ts'

// Real processes are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

/** A folder, a server that can be started on it, and the command line. */
async function setUp(settings: Readonly<Record<string, string>> = {}, folder = '') {
  const dataDir = join(await makeTempDir(), folder)
  const env: Readonly<Record<string, string>> = isOnPostgres()
    ? { ...settings, DATABASE_URL: await openTestDatabase() }
    : settings
  const start = () => runServer({ dataDir, env })
  const admin = (...words: readonly string[]) =>
    runToEnd({
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env },
      command: [process.execPath, 'apps/server/src/admin.ts', ...words],
    })
  return { dataDir, start, admin }
}

function post(url: string, path: string, body: object): Promise<Response> {
  return fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

test('S57 a command takes effect in the running server’s memory before it ends', async () => {
  const { start, admin, dataDir } = await setUp()
  const { url } = await start()
  expect((await stat(join(dataDir, 'admin.sock'))).mode & 0o777).toBe(0o600)
  const nova = await signInOverHttp(url, 'Nova')
  const token = await nova.createToken(await nova.registerDevice())
  expect(await sendHeartbeatOverHttp(url, token)).toBe(204)

  const disabled = await admin('users', 'disable', 'nova')
  expect(disabled).toMatchObject({ code: 0, stderr: '' })
  expect(disabled.stdout).toMatch(/^Nova is turned off since [\d :-]+ UTC, with 1 device\./)
  expect(await sendHeartbeatOverHttp(url, token)).toBe(401)
  expect((await nova.call('GET', '/api/me')).status).toBe(401)

  await admin('users', 'enable', 'nova')
  expect(await sendHeartbeatOverHttp(url, token)).toBe(204)
  const audit = await admin('audit', '--subject', 'user:nova', '--json')
  expect(JSON.parse(audit.stdout)).toMatchObject({
    entries: [
      { actor: 'operator:console', action: 'user.enabled', outcome: 'done' },
      { actor: 'operator:console', action: 'user.disabled', outcome: 'done' },
    ],
  })
})

test('S8 a command makes the first operator, who sets a password with the printed code', async () => {
  const { start, admin } = await setUp({ OPERATORS: 'Ada' })
  const { url } = await start()
  const register = (password: string) =>
    post(url, '/api/auth/register', { username: 'ada', password })
  expect((await register(testPassword)).status).toBe(409)
  const made = await admin('users', 'create', 'Ada')
  const [code] = /^\w{5}(-\w{5}){4}$/m.exec(made.stdout) ?? []
  const reset = { code, newPassword: testPassword }
  expect((await post(url, '/api/auth/reset-password', reset)).status).toBe(200)
  const ada = await signInOverHttp(url, 'Ada')
  expect((await ada.call('GET', '/api/operator/users')).status).toBe(200)
})

test('all devices are listed, with stable names for scripts', async () => {
  const { start, admin } = await setUp()
  const { url } = await start()
  const nova = await signInOverHttp(url, 'Nova')
  const id = await nova.registerDevice()
  const token = await nova.createToken(id)
  expect(await sendHeartbeatOverHttp(url, token)).toBe(204)
  const list = await admin('devices', 'list', '--only', 'public')
  expect(list.stdout).toMatch(
    /^LABEL +OWNER +SEEN BY +STATUS +LAST SEEN \(UTC\) +MADE \(UTC\) +ID\n/,
  )
  expect(list.stdout).toMatch(new RegExp(String.raw` Nova +everybody +online +\d{4}-.* ${id}\n`))
  const json = await admin('devices', 'list', '--limit', '1', '--json')
  expect(JSON.parse(json.stdout)).toEqual({
    devices: [
      {
        id,
        label: expect.any(String),
        owner: 'Nova',
        visibility: 'public',
        status: 'online',
        link: null,
        createdAt: expect.any(String),
        lastSeenAt: expect.any(String),
        hidden: null,
      },
    ],
    hasMore: false,
  })
  expect(await admin('devices', 'list', '--only', 'all')).toMatchObject({
    code: 2,
    stderr: '--only: there is no “all”. There are: public, private, hidden\n',
  })
})

test('a command without a running server does the same, and leaves the folder to the next server', async () => {
  const { start, admin, dataDir } = await setUp()
  await (await start()).stop()
  const made = await admin('users', 'create', 'Ada')
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining(dataDir) })
  const first = await start()
  const list = await admin('users', 'list')
  expect(list.stdout).toMatch(/^USERNAME +NAME +SINCE .*\nAda +– /)
  first.kill('SIGKILL')
  await first.exited
  // The file of its socket is still there, but nothing answers.
  expect(await admin('users', 'delete', 'ada', '--yes')).toMatchObject({
    code: 0,
    stdout: 'ada is deleted, with 0 devices.\n',
  })
  const second = await start()
  expect((await admin('users', 'list')).stdout).toBe('There are none.\n')
  await second.stop()
})

test.skipIf(isOnPostgres())(
  'a command does not make a missing database, and says where it searched',
  async () => {
    const { admin, dataDir } = await setUp({}, 'forgotten')
    for (const words of [
      ['users', 'list'],
      ['backup', join(dataDir, '../backup.sqlite')],
      ['check'],
    ]) {
      const { code, stdout, stderr } = await admin(...words)
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(dataDir)])
    }
    expect(existsSync(dataDir)).toBe(false)
  },
)

test('a refusal exits with 1, a mistake with 2, and both leave stdout empty', async () => {
  const { start, admin } = await setUp()
  await start()
  expect(await admin('users', 'show', 'nobody')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is nothing here by that name.\n',
  })
  const limit = await admin('users', 'list', '--limit', 'many')
  expect(limit).toMatchObject({ code: 2, stdout: '' })
  expect(limit.stderr).toContain('--limit: This is a whole number.')
  const mistaken = await admin('users', 'lst')
  expect(mistaken).toMatchObject({ code: 2, stdout: '' })
  expect(mistaken.stderr).toContain('Did you mean “users list”?')
  expect(await admin('users', 'delete', 'nova')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'This can’t be undone: add --yes where nobody can be asked.\n',
  })
})

test('a server starts in a folder too deep for a socket, and warns', async () => {
  const { start, admin } = await setUp({}, 'deep-'.repeat(20))
  const server = await start()
  const sentence = 'bytes too long for the socket of npm run admin'
  expect(server.stdout()).toContain(sentence)
  const ended = await admin('users', 'list')
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(/^DATA_DIR: [^\n]+\n$/)
  expect(ended.stderr).toContain(sentence)
})

test('reports name their authors, and mistyped input is quoted', async () => {
  const { start, admin } = await setUp()
  const { url } = await start()
  const [nova, rook] = [await signInOverHttp(url, 'Nova'), await signInOverHttp(url, 'Rook')]
  const id = await nova.registerDevice()
  const text = 'It names my street.\nTake it down.'
  await rook.call('POST', '/api/reports', { kind: 'device', id, reason: 'privacy', text })
  const listed = await admin('reports', 'list')
  expect(listed.stdout).toMatch(/privacy +Rook +It names my street\. Take it down\./)
  const shown = await admin('reports', 'show', id)
  expect(shown.stdout).toContain('privacy, by Rook\n  It names my street.\n  Take it down.')
  expect(await admin('reports', 'show', 'nothing')).toMatchObject({ code: 1 })
  expect(await admin('announce', 'News', '--until', 'soon')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--until: /m),
  })
  const { users, server } = JSON.parse((await admin('stats', '--json')).stdout)
  expect({ users, server }).toMatchObject({ users: 2, server: { makesBackups: false } })
})
