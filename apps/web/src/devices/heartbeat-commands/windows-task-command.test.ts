import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { powershellQuote } from './quote.ts'
import { recordingServer } from './testing/recording-server.ts'
import { sampleHeartbeat } from './testing/sample-heartbeat.ts'
import { throwawayHome } from './testing/throwaway-home.ts'
import { windowsTaskCommand } from './heartbeat-guides.ts'

const input = { ...sampleHeartbeat('https://sky.example'), offsetSeconds: 97 }
const { deviceId, token } = input
const guide = windowsTaskCommand(input)
const paste = guide.steps.map((step) => step.text).join('\n')
const lines = paste.split('\n')

function taskIn(text: string): unknown {
  const xml = /^\$task = @'\n([^]*?)\n'@$/m.exec(text)?.[1] ?? ''
  expect(XMLValidator.validate(xml)).toBe(true)
  return new XMLParser({ parseTagValue: false, ignoreAttributes: false }).parse(xml)
}

const curlOptions = '-fsS -m 10 --retry 3 -o NUL -X POST'

test('the task runs curl as the user, 30 s after boot and every 2 minutes', () => {
  expect(taskIn(paste)).toEqual({
    Task: {
      '@_version': '1.2',
      '@_xmlns': 'http://schemas.microsoft.com/windows/2004/02/mit/task',
      Triggers: {
        BootTrigger: { Enabled: 'true', Delay: 'PT30S' },
        TimeTrigger: {
          Repetition: { Interval: 'PT2M', StopAtDurationEnd: 'false' },
          StartBoundary: '2020-01-01T00:01:37',
          Enabled: 'true',
        },
      },
      Principals: {
        Principal: {
          '@_id': 'Author',
          UserId: 'USER_SID',
          LogonType: 'S4U',
          RunLevel: 'LeastPrivilege',
        },
      },
      Settings: {
        MultipleInstancesPolicy: 'IgnoreNew',
        DisallowStartIfOnBatteries: 'false',
        StopIfGoingOnBatteries: 'false',
        StartWhenAvailable: 'true',
        ExecutionTimeLimit: 'PT90S',
      },
      Actions: {
        '@_Context': 'Author',
        Exec: {
          Command: String.raw`%SystemRoot%\System32\curl.exe`,
          Arguments: `${curlOptions} -H "@${deviceId}.header" "https://sky.example/api/devices/heartbeat-token"`,
          WorkingDirectory: 'FOLDER',
        },
      },
    },
  })
})

test('the page shows the task that the paste registers', () => {
  expect(guide.installs.map((block) => block.text)).toEqual([
    /^\$task = @'\n([^]*?)\n'@$/m.exec(paste)?.[1],
  ])
})

test('user and folder are put into the task before it is registered', () => {
  expect(lines).toContain(
    "$task = $task.Replace('USER_SID', $sid).Replace('FOLDER', [Security.SecurityElement]::Escape($folder))",
  )
  expect(lines).toContain(
    `Register-ScheduledTask -Force -TaskName 'Astropelago ${deviceId}' -Xml $task | Out-Null`,
  )
})

test('the token is written once, into a file that only the user can read by then', () => {
  const created = lines.indexOf('New-Item -ItemType File -Force -Path $file | Out-Null')
  const guarded = lines.indexOf('icacls.exe $file /inheritance:r /grant:r "*${sid}:F" | Out-Null')
  const written = lines.indexOf(
    `Set-Content -LiteralPath $file -Encoding ascii -Value 'Authorization: Bearer ${token}'`,
  )
  expect(created).toBeGreaterThan(0)
  expect(guarded).toBeGreaterThan(created)
  expect(lines[guarded + 1]).toMatch(/^if \(\$LASTEXITCODE -ne 0\) \{ throw /)
  expect(written).toBeGreaterThan(guarded)
  expect(paste.split(token)).toHaveLength(2)
})

test('the first heartbeat is sent at once with the token from the file', () => {
  expect(lines).toContain(
    `curl.exe ${curlOptions} -H "@$file" 'https://sky.example/api/devices/heartbeat-token'`,
  )
})

test('the paste is one block, so that PowerShell runs all of it or nothing', () => {
  expect(lines[0]).toBe('& {')
  expect(lines.at(-1)).toBe('}')
  expect(lines[1]).toBe("$ErrorActionPreference = 'Stop'")
})

test('any server address is one argument in the task and in the paste', () => {
  const awkward = windowsTaskCommand({ ...input, publicUrl: `https://sky.example/it's "a" & <b>` })
  const text = awkward.steps.map((step) => step.text).join('\n')
  const address = `https://sky.example/it's%20%22a%22%20&%20%3Cb%3E/api/devices/heartbeat-token`
  expect(taskIn(text)).toMatchObject({
    Task: { Actions: { Exec: { Arguments: expect.stringMatching(/ "[^"]+"$/) } } },
  })
  expect(JSON.stringify(taskIn(text))).toContain(address)
  expect(text).toContain(` '${address.replaceAll("'", "''")}'\n`)
})

test('PowerShell quoting doubles straight and curly single quotes', () => {
  expect(powershellQuote('a\'b\u2018c\u2019d\u201Ae\u201Bf"$x')).toBe(
    "'a''b\u2018\u2018c\u2019\u2019d\u201A\u201Ae\u201B\u201Bf\"$x'",
  )
})

test('curl takes the header from a file with the line ends of Windows', async () => {
  const home = await throwawayHome()
  const server = await recordingServer()
  await home.write('token.header', `Authorization: Bearer ${token}\r\n`)
  const result = await home.runAsCron(`curl -fsS -X POST -H @token.header ${server.url}`)
  expect(result.status).toBe(0)
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${token}`)
})

test('the removal deletes task and token', () => {
  expect(guide.removal?.text.split('\n')).toEqual([
    '& {',
    `Unregister-ScheduledTask -Confirm:$false -TaskName 'Astropelago ${deviceId}'`,
    "$folder = Join-Path $env:LOCALAPPDATA 'astropelago'",
    `Remove-Item -LiteralPath (Join-Path $folder '${deviceId}.header')`,
    '}',
  ])
})
