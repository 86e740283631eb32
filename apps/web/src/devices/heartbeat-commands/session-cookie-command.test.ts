import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sessionCookieCommand } from './session-cookie-command.ts'
import { commandLines } from './testing/process-lists.ts'
import { recordingServer } from './testing/recording-server.ts'
import { awkwardPath, sampleHeartbeat } from './testing/sample-heartbeat.ts'
import { cronCommandOf, putStandInCrontab } from './testing/stand-in-crontab.ts'
import { typeIntoTerminal } from './testing/terminal.ts'
import { throwawayHome } from './testing/throwaway-home.ts'

const prompt = 'Password of nova_7: '

async function setUp(urlPath = '') {
  const home = await throwawayHome()
  await putStandInCrontab(home)
  const server = await recordingServer()
  const { deviceId, offsetSeconds, publicUrl } = sampleHeartbeat(server.url + urlPath)
  const input = { publicUrl, deviceId, offsetSeconds, username: 'nova_7' }
  const guide = sessionCookieCommand(input)
  const [signIn, report] = guide.steps
  const jar = `.config/astropelago/${deviceId}.cookies`
  server.answer = {
    status: 200,
    headers: { 'Set-Cookie': 'session=s3cret; Path=/; HttpOnly; SameSite=Lax; Max-Age=1209600' },
  }
  return {
    home,
    server,
    input,
    guide,
    jar,
    signIn: (password: string) =>
      typeIntoTerminal(home, signIn?.text ?? '', prompt, `${password}\n`),
    typeKeys: (keys: string) => typeIntoTerminal(home, signIn?.text ?? '', prompt, keys),
    report: report?.text ?? '',
  }
}

// `script`, which creates the terminal, has other options outside Linux.
const isLinux = process.platform === 'linux'

test
  .runIf(isLinux)
  .each([
    'correct horse',
    '  kept blanks  ',
    String.raw`"quotes" \back\slashes\n \u0041 \"`,
    "$(touch pwned) `id` ${HOME} 'x' %s %n & ; | !!",
    'pässwörd 密码 🚀 é',
  ])('the password %j is signed in with as typed', async (password) => {
  const { signIn, server, home } = await setUp()
  const { status, screen } = await signIn(password)
  expect(screen).toContain('Signed in')
  expect(status).toBe(0)
  expect(server.requests).toEqual([
    expect.objectContaining({ method: 'POST', path: '/api/auth/password-login' }),
  ])
  expect(server.requests[0]?.headers['content-type']).toBe('application/json')
  expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ username: 'nova_7', password })
  expect(existsSync(join(home.path, 'pwned'))).toBe(false)
})

test.runIf(isLinux)(
  'the password is neither shown nor in the process list; echo comes back',
  async () => {
    const { signIn, server } = await setUp()
    let lines: string[] = []
    server.beforeAnswer = () => (lines = commandLines())
    const { screen } = await signIn('correct horse')
    expect(screen).toContain(prompt)
    expect(screen).not.toContain('correct horse')
    expect(screen).toMatch(/ echo /)
    expect(lines).toContainEqual(expect.stringContaining('password-login'))
    expect(lines.filter((line) => line.includes('correct horse'))).toEqual([])
  },
)

test.runIf(isLinux)('the cookie jar has mode 0600', async () => {
  const { signIn, home, jar } = await setUp()
  await signIn('correct horse')
  expect(await home.modeOf(jar)).toBe(0o600)
  expect(await home.read(jar)).toContain('s3cret')
})

test.runIf(isLinux).each([
  [401, 'That is not the password of nova_7. Nothing was saved.'],
  [429, 'Too many tries. Wait a minute and try again.'],
  [503, 'The server refused (status 503). Nothing was saved.'],
])('status %i is told, fails, and leaves no jar behind', async (answer, sentence) => {
  const { signIn, server, home } = await setUp()
  server.answer = { status: answer, headers: { 'Set-Cookie': 'other=1; Path=/' } }
  const { status, screen } = await signIn('wrong horse')
  expect(screen).toContain(sentence)
  expect(status).toBe(1)
  expect(await home.list('.config/astropelago')).toEqual([])
})

test.runIf(isLinux)(
  'a mistyped password leaves the jar of an earlier sign-in as it is',
  async () => {
    const { signIn, server, home, jar } = await setUp()
    await signIn('correct horse')
    const before = await home.read(jar)
    server.answer = { status: 401 }
    await signIn('wrong horse')
    expect(await home.read(jar)).toBe(before)
  },
)

test.runIf(isLinux)('Ctrl-C at the password brings the echo back and sends nothing', async () => {
  const { typeKeys, server, home } = await setUp()
  const { status, screen } = await typeKeys('half\u0003')
  expect(status).not.toBe(0)
  expect(screen).not.toMatch(/-echo /)
  expect(server.requests).toEqual([])
  expect(await home.list('.config/astropelago')).toEqual([])
})

test.runIf(isLinux).each(['', awkwardPath])(
  'the installed line reports every minute by the cookie alone (server path "%s")',
  async (urlPath) => {
    const { signIn, report, server, home, input, jar } = await setUp(urlPath)
    await signIn('correct horse')
    server.answer = { status: 204, headers: { 'Set-Cookie': 'session=another; Path=/' } }
    const jarBefore = await home.read(jar)
    const pasted = await home.paste(report)
    expect(pasted.stdout).toBe('Done: the first heartbeat arrived, more follow every minute.\n')

    const line = (await home.read('crontab')).trimEnd()
    expect(line).toMatch(/^\* \* \* \* \* sleep 0; curl -fsS -m 10 --retry 3 /)
    const result = await home.runAsCron(cronCommandOf(line))

    expect(result).toEqual({ status: 0, stdout: '', stderr: '' })
    const last = server.requests.at(-1)
    expect(last?.method).toBe('POST')
    expect(last?.path).toMatch(new RegExp(`/api/devices/heartbeat\\?id=${input.deviceId}$`))
    expect(last?.headers.cookie).toBe('session=s3cret')
    expect(await home.read(jar)).toBe(jarBefore)
  },
)

test('without a sign-in the crontab is not touched', async () => {
  const { report, home } = await setUp()
  const result = await home.paste(report)
  expect(result.status).toBe(1)
  expect(result.stderr).toBe('Please sign in first, with the text above.\n')
  expect(existsSync(join(home.path, 'crontab'))).toBe(false)
})

test('the sleep ends within the minute for every offset', () => {
  const input = { ...sampleHeartbeat('https://sky.example'), username: 'nova_7' }
  for (let offsetSeconds = 0; offsetSeconds < 110; offsetSeconds += 1) {
    const [block] = sessionCookieCommand({ ...input, offsetSeconds }).installs
    expect(Number(/sleep (\d+);/.exec(block?.text ?? '')?.[1])).toBeLessThan(55)
  }
})

test('the notes say when the session ends', () => {
  const { notes } = sessionCookieCommand({
    ...sampleHeartbeat('https://sky.example'),
    username: 'nova_7',
  })
  expect(notes.join(' ')).toMatch(/14 days without a heartbeat.*90 days/)
})

test('the removal deletes the line of the session, not that of the token', async () => {
  const { guide, home, jar, input } = await setUp()
  const others = `@reboot echo mine\n* * * * * true # astropelago ${input.deviceId}\n`
  await home.write(jar, 'jar', 0o600)
  await home.write('crontab', `${others}* * * * * true # astropelago session ${input.deviceId}\n`)
  expect((await home.paste(guide.removal?.text ?? '')).status).toBe(0)
  expect(await home.read('crontab')).toBe(others)
  expect(existsSync(join(home.path, jar))).toBe(false)
})
