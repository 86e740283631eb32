import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { sampleInstall } from './testing/agent-server.ts'
import { windowsAgent } from './windows-agent.ts'

const { islandId, token, sha256 } = sampleInstall
const guide = windowsAgent(sampleInstall)
const paste = guide.steps.map((step) => step.text).join('\n')
const lines = paste.split('\n')

function taskIn(text: string): unknown {
  const xml = /^\$task = @'\n([^]*?)\n'@$/m.exec(text)?.[1] ?? ''
  expect(XMLValidator.validate(xml)).toBe(true)
  return new XMLParser({ parseTagValue: false, ignoreAttributes: false }).parse(xml)
}

test('the task runs the agent as the user after boot, without end, and again where it has ended', () => {
  expect(taskIn(paste)).toEqual({
    Task: {
      '@_version': '1.2',
      '@_xmlns': 'http://schemas.microsoft.com/windows/2004/02/mit/task',
      Triggers: {
        BootTrigger: { Enabled: 'true', Delay: 'PT10S' },
        TimeTrigger: {
          Repetition: { Interval: 'PT5M', StopAtDurationEnd: 'false' },
          StartBoundary: '2020-01-01T00:00:00',
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
        ExecutionTimeLimit: 'PT0S',
      },
      Actions: {
        '@_Context': 'Author',
        Exec: {
          Command: 'NODE_PROGRAM',
          Arguments: `"${islandId}.agent.mjs" --server "https://sky.example" --to "http://localhost:8080" --island "${islandId}" --token-file "${islandId}.relay-token"`,
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

test('a folder in the home is one argument for both, and no backslash stands before a quote', () => {
  const path = "~\\my site & <b>'s\\"
  const text = windowsAgent({ ...sampleInstall, service: { kind: 'folder', path } }).steps[0]?.text
  expect(taskIn(text ?? '')).toMatchObject({
    Task: {
      Actions: {
        Exec: {
          Arguments: expect.stringContaining(String.raw` --folder "USER_HOME\my site & <b>'s" `),
        },
      },
    },
  })
  expect(text).toContain(" --folder (Join-Path $env:USERPROFILE 'my site & <b>''s') ")
})

test.each([
  ['~', '"USER_HOME"', '$env:USERPROFILE'],
  ['~\\', '"USER_HOME"', '$env:USERPROFILE'],
  // A drive alone means its current folder, which is the agent's and contains the token.
  ['C:\\', String.raw`"C:\."`, String.raw`'C:\.'`],
  ['d:/', String.raw`"d:\."`, String.raw`'d:\.'`],
  ['/', String.raw`"\."`, String.raw`'\.'`],
  ['C:\\site\\', String.raw`"C:\site"`, String.raw`'C:\site'`],
])('the folder %s is that one, for the task and for the check', (path, inTask, inCheck) => {
  const text = windowsAgent({ ...sampleInstall, service: { kind: 'folder', path } }).steps[0]?.text
  expect(taskIn(text ?? '')).toMatchObject({
    Task: {
      Actions: {
        Exec: { Arguments: expect.stringContaining(` --folder ${inTask} --island "`) },
      },
    },
  })
  expect(text).toContain(` --folder ${inCheck} --island '${islandId}' --token-file $file --check`)
})

test('R47 the agent is checked by its hash before anything is installed', () => {
  const fetched = lines.findIndex((line) => line.startsWith('curl.exe '))
  const checked = lines.indexOf(
    `if ((Get-FileHash -Algorithm SHA256 -LiteralPath "$agent.new").Hash -ne '${sha256}') {`,
  )
  const moved = lines.indexOf('Move-Item -Force -LiteralPath "$agent.new" -Destination $agent')
  expect(fetched).toBeGreaterThan(0)
  expect(lines[fetched]).toContain(" 'https://sky.example/agent.mjs'")
  expect(checked).toBeGreaterThan(fetched)
  expect(moved).toBeGreaterThan(checked)
})

test('R45 the token is written once, into a file that only the user can read by then', () => {
  const created = lines.indexOf('New-Item -ItemType File -Force -Path $file | Out-Null')
  const guarded = lines.indexOf('icacls.exe $file /inheritance:r /grant:r "*${sid}:F" | Out-Null')
  const written = lines.indexOf(`Set-Content -LiteralPath $file -Encoding ascii -Value '${token}'`)
  expect(created).toBeGreaterThan(0)
  expect(guarded).toBeGreaterThan(created)
  expect(lines[guarded + 1]).toMatch(/^if \(\$LASTEXITCODE -ne 0\) \{ throw /)
  expect(written).toBeGreaterThan(guarded)
  expect(paste.split(token)).toHaveLength(2)
})

test('an agent that runs is stopped before the new one starts, and what it needs is checked', () => {
  const name = `'Astropelago agent ${islandId}'`
  const order = [
    `Stop-ScheduledTask -ErrorAction SilentlyContinue -TaskName ${name}`,
    `Register-ScheduledTask -Force -TaskName ${name} -Xml $task | Out-Null`,
    `Start-ScheduledTask -TaskName ${name}`,
    `& $node $agent --server https://sky.example --to http://localhost:8080 --island '${islandId}' --token-file $file --check`,
    `if ((Get-ScheduledTask -TaskName ${name}).State -ne 'Running') { throw 'The agent is installed, but its task does not run: see the Task Scheduler.' }`,
  ].map((line) => lines.indexOf(line.replace(/ (https?:\S+)/g, " '$1'")))
  expect(order.filter((at) => at < 0)).toEqual([])
  expect(order.toSorted((one, other) => one - other)).toEqual(order)
})

test('the paste is one block, so that PowerShell runs all of it or nothing', () => {
  expect(lines[0]).toBe('& {')
  expect(lines.at(-1)).toBe('}')
  expect(lines[1]).toBe("$ErrorActionPreference = 'Stop'")
})

test('the removal deletes the task, the agent, its id and its token', () => {
  expect(guide.removal?.text.split('\n')).toEqual([
    '& {',
    `Stop-ScheduledTask -TaskName 'Astropelago agent ${islandId}'`,
    `Unregister-ScheduledTask -Confirm:$false -TaskName 'Astropelago agent ${islandId}'`,
    "$folder = Join-Path $env:LOCALAPPDATA 'astropelago'",
    `foreach ($name in '${islandId}.agent.mjs', '${islandId}.relay-token', '${islandId}.relay-token-agent-id-${islandId}') {`,
    '  Remove-Item -ErrorAction SilentlyContinue -LiteralPath (Join-Path $folder $name)',
    '}',
    '}',
  ])
})
