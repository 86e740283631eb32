import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { sendHeartbeatOverHttp, signInOverHttp } from './test/http-client.ts'
import { runToEnd } from './test/launch-server.ts'
import { makeTempDir } from './test/open-test-storage.ts'
import { runServer } from './test/run-server.ts'

// Real processes are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

function admin(dataDir: string, ...args: readonly string[]) {
  return runToEnd({
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
    command: [process.execPath, 'apps/server/src/admin.ts', ...args],
  })
}

test('S43 the commands back up beside a server and restore once it has ended', async () => {
  const dataDir = await makeTempDir()
  const server = await runServer({ dataDir })
  const client = await signInOverHttp(server.url, 'nova')
  const id = await client.registerDevice()
  const token = await client.createToken(id)
  expect(await sendHeartbeatOverHttp(server.url, token)).toBe(204)
  const file = join(await makeTempDir(), 'backup.sqlite')
  expect(await admin(dataDir, 'backup', file)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /\ndevices +1\n[^]*\n\n\/.*backup\.sqlite: [\d.]+ [kM]B in [\d.]+ s, /,
    ),
    stderr: '',
  })
  expect(await admin(dataDir, 'restore', file, '--force')).toMatchObject({
    code: 1,
    stderr: `A server is running on ${dataDir}: stop it first\n`,
  })

  await client.registerDevice()
  server.kill('SIGTERM')
  await server.exited
  const restored = await admin(dataDir, 'restore', file, '--force', '--end-sessions')
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toContain(`What was there before is in ${join(dataDir, 'replaced-')}`)
  const next = await runServer({ dataDir })
  const again = await signInOverHttp(next.url, 'nova')
  expect((await again.listOwnDevices()).map((device) => device.id)).toEqual([id])
  expect(await sendHeartbeatOverHttp(next.url, token)).toBe(204)
})
