import { expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { runToEnd } from './test/launch-server.ts'
import { signInOverHttp, type HttpClient } from './test/http-client.ts'
import { freePort } from './test/listen.ts'
import { makeTempDir } from './test/open-test-storage.ts'
import { runServer } from './test/run-server.ts'

vi.setConfig({ testTimeout: 120_000 })

const soon = { timeout: 60_000, interval: 100 }

async function setUp() {
  const port = await freePort()
  const dataDir = await makeTempDir()
  const url = `http://127.0.0.1:${port}`
  const env = { PORT: String(port), PUBLIC_URL: url, ALLOW_PRIVATE_TARGETS: 'on' }
  let server = await runServer({ dataDir, env })
  const user = await signInOverHttp(url, 'ada')
  return {
    url,
    dataDir,
    user,
    /** As if the power was cut. */
    cut: async () => {
      server.kill('SIGKILL')
      await server.exited
    },
    start: async () => {
      server = await runServer({ dataDir, env })
    },
  }
}

async function share(user: HttpClient, label: string): Promise<void> {
  const details = { label, lat: 1, lon: 2, visibility: 'public', isShared: true }
  expect((await user.call('POST', '/api/devices/register', details)).status).toBe(201)
}

const Devices = v.object({ devices: v.array(v.object({ label: v.string() })) })

async function labelsOn(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/neighbours/devices`)
  const { devices } = v.parse(Devices, await answer.json())
  return devices.map(({ label }) => label)
}

test('[F21] what is shared arrives once, whichever of two servers is killed', async () => {
  const [home, far] = [await setUp(), await setUp()]
  const command = ['neighbours', 'add', far.url, '--yes'] as const
  const { code } = await runToEnd({
    env: { PATH: process.env['PATH'], DATA_DIR: home.dataDir },
    command: [process.execPath, 'apps/server/src/admin.ts', ...command],
  })
  expect(code).toBe(0)
  const expected: string[] = []
  const shareNext = async () => {
    const label = `Buoy ${expected.length}`
    await share(far.user, label)
    expected.push(label)
  }
  const arrived = () =>
    vi.waitFor(
      async () => expect((await labelsOn(home.url)).toSorted()).toEqual(expected.toSorted()),
      soon,
    )
  await shareNext()
  await arrived()

  await shareNext()
  await far.cut()
  await far.start()
  await shareNext()
  await arrived()

  await shareNext()
  await home.cut()
  await shareNext()
  await home.start()
  await arrived()

  await Promise.all([home.cut(), far.cut()])
  await Promise.all([home.start(), far.start()])
  await shareNext()
  await arrived()
})
