import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '../../../test/create-test-app.ts'
import { freePort } from '../../../test/listen.ts'
import { playFollower } from './play-follower.ts'
import { deviceEntry, playInstallation } from './played-installation.ts'

async function faultsOf(address: string) {
  const findings = await Array.fromAsync(playFollower(address))
  return findings.filter(({ fault }) => fault !== undefined).map(({ rule }) => rule)
}

test('[F1] [F3] [F5] [F6] an installation holds what the program checks', async () => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const clock = { now: Date.now, move: () => undefined }
  const { app } = await createTestApp({ config: { publicUrl }, clock })
  await app.listen({ host: '127.0.0.1', port })
  expect(await faultsOf(publicUrl)).toEqual([])
})

test('the program finds what does not hold', async () => {
  const far = await playInstallation(Date.now)
  onTestFinished(far.close)
  far.state.entries = [deviceEntry()]
  expect(await faultsOf(far.address)).toEqual([])
  far.state.entries = [deviceEntry({ lat: 91 })]
  expect(await faultsOf(far.address)).toEqual(['F3', 'F3', 'F6'])
  far.state.status = 404
  expect(await faultsOf(far.address)).toEqual(['F5', 'F5', 'F5', 'F5', 'F3', 'F3', 'F6'])
})
