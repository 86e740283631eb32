import { expect, test } from 'vitest'
import { commandLines } from './testing/process-lists.ts'
import { recordingServer } from './testing/recording-server.ts'
import { awkwardPath, sampleHeartbeat } from './testing/sample-heartbeat.ts'
import { throwawayHome } from './testing/throwaway-home.ts'
import { tryNowCommand, tryNowInPowershell } from './try-now-command.ts'

const shells = ['sh', 'bash']

test.each(shells)('in %s it sends one heartbeat with the token and says so', async (shell) => {
  const home = await throwawayHome()
  const server = await recordingServer()
  const input = sampleHeartbeat(server.url)
  const { text } = tryNowCommand(input)
  expect(text).not.toContain('\n')

  const result = await home.paste(text, shell)

  expect(result).toEqual({ status: 0, stdout: 'It works: the heartbeat arrived.\n', stderr: '' })
  expect(server.requests).toEqual([
    expect.objectContaining({ method: 'POST', path: '/api/devices/heartbeat-token', body: '' }),
  ])
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${input.token}`)
})

test.each(shells)('in %s a refused token is reported, and the line fails', async (shell) => {
  const home = await throwawayHome()
  const server = await recordingServer()
  server.answer = { status: 401 }

  const result = await home.paste(tryNowCommand(sampleHeartbeat(server.url)).text, shell)

  expect(result.status).not.toBe(0)
  expect(result.stdout).toBe('')
  expect(result.stderr).toMatch(/401[^]*The heartbeat did not arrive/)
})

test('any server address is taken literally', async () => {
  const home = await throwawayHome()
  const server = await recordingServer()
  const publicUrl = server.url + awkwardPath

  const result = await home.paste(tryNowCommand(sampleHeartbeat(publicUrl)).text)

  expect(result.status).toBe(0)
  const path = new URL(publicUrl).pathname.replaceAll('[', '%5B').replaceAll(']', '%5D')
  expect(server.requests.map((request) => request.path)).toEqual([
    `${path}/api/devices/heartbeat-token`,
  ])
})

test.runIf(process.platform === 'linux')('the token is in no process list', async () => {
  const home = await throwawayHome()
  const server = await recordingServer()
  const input = sampleHeartbeat(server.url)
  let lines: string[] = []
  server.beforeAnswer = () => (lines = commandLines())

  await home.paste(tryNowCommand(input).text)

  expect(lines).toContainEqual(expect.stringContaining(`${server.url}/api/devices/heartbeat-token`))
  expect(lines.filter((line) => line.includes(input.token))).toEqual([])
})

test('in PowerShell it is one line with any address and token taken literally', () => {
  const publicUrl = "https://sky.example/it's"
  const { text, language } = tryNowInPowershell({ publicUrl, token: 'apd_x' })
  expect(language).toBe('powershell')
  expect(text).toBe(
    `try { Invoke-RestMethod -Method Post -TimeoutSec 10 -Headers @{ Authorization = 'Bearer apd_x' } -Uri 'https://sky.example/it''s/api/devices/heartbeat-token' | Out-Null; 'It works: the heartbeat arrived.' } catch { Write-Error "The heartbeat did not arrive: $($_.Exception.Message)" }`,
  )
})
