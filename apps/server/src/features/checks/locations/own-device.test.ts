import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type CheckStatus,
  getCheckHistory,
  getOwnCheck,
  runCheck,
} from '@astropelago/contract/checks'
import * as v from 'valibot'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeTestCheck } from '../../../test/api-checks.ts'
import { createTestToken, registerTestDevice } from '../../../test/api-devices.ts'
import { createTestApp } from '../../../test/create-test-app.ts'
import { inTime } from '../../../test/in-time.ts'
import { freePort } from '../../../test/listen.ts'

const agentFile = fileURLToPath(
  new URL('../../../../../../packages/agent/src/agent.mjs', import.meta.url),
)

async function setUp() {
  const { app, signUp, clock } = await createTestApp({})
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const owner = await signUp()
  const { id: device } = await registerTestDevice(owner)
  const { token } = await createTestToken(owner, device, undefined, 'relay')
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-own-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const tokenFile = join(folder, 'token')
  writeFileSync(tokenFile, token, { mode: 0o600 })

  /** Resolves when it is connected. */
  const runAgent = async (lan: string) => {
    const options = ['--server', url, '--token-file', tokenFile, '--lend', '--check-lan', lan]
    const agent = spawn(process.execPath, [agentFile, ...options])
    onTestFinished(() => void agent.kill('SIGKILL'))
    for await (const line of agent.stdout.iterator({ destroyOnReturn: false })) {
      if (String(line).includes('connected to look')) return agent
    }
    throw new Error('The agent ended.')
  }
  const makeCheck = async (port: number) => {
    const target = { kind: 'tcp', host: '127.0.0.1', port, periodS: 30 }
    const { id } = await makeTestCheck(owner, { target, device })
    const get = async () => {
      const answer = await owner.inject({ url: getOwnCheck.path.replace(':id', id) })
      return v.parse(getOwnCheck.answers[200], answer.json())
    }
    return {
      get,
      run: async () => {
        const path = runCheck.path.replace(':id', id)
        const answer = await owner.inject({ method: 'POST', url: path })
        return v.parse(runCheck.answers[200], answer.json())
      },
      events: async () => {
        const answer = await owner.inject({ url: getCheckHistory.path.replace(':id', id) })
        const { events } = v.parse(getCheckHistory.answers[200], answer.json())
        return events.map(({ kind }) => kind)
      },
      until: (status: CheckStatus) =>
        vi.waitFor(
          async () => {
            clock.move(3000)
            expect((await get()).status).toBe(status)
          },
          { timeout: inTime.timeout, interval: 110 },
        ),
    }
  }
  return { makeCheck, runAgent, serverPort: Number(new URL(url).port) }
}

test('[C17] a real agent looks at a private target that its command line names, and at no other', async () => {
  const { makeCheck, runAgent, serverPort } = await setUp()
  const port = await freePort()
  const [named, unnamed] = [await makeCheck(port), await makeCheck(serverPort)]
  const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
  onTestFinished(() => void server.close())
  expect(await named.run()).toMatchObject({ isUp: false, isSeen: false })
  const agent = await runAgent(`127.0.0.0/8:${port}`)
  await named.until('up')
  const refused = 'Its agent refused to look: no --check-lan on its command line allows it.'
  expect(await unnamed.run()).toMatchObject({ isSeen: false, note: refused })
  server.close()
  await named.until('down')
  expect((await named.get()).note).toBe('Nothing listens there: the connection was refused.')
  agent.kill('SIGKILL')
  await once(agent, 'close')
  await named.until('unobserved')
  expect(await named.events()).toEqual(['unobserved', 'down', 'up'])
  expect(await unnamed.events()).toEqual([])
})
