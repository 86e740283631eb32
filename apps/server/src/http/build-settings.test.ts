import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildSettingsFile } from '@astropelago/contract/build-settings'
import { expect, test } from 'vitest'
import { createTestApp } from '../test/create-test-app.ts'
import { makeWebDir } from '../test/make-web-dir.ts'

test.each([
  ['is missing', undefined],
  ['is no JSON', '{'],
  ['lacks a setting', '{"hasMapsKey":true}'],
  [
    'widens the policy',
    '{"hasMapsKey":false,"live":"sse","deviceUpdateOrigin":"https://a.example *"}',
  ],
])('S25 a build whose settings file %s stops the start with one line', async (_name, text) => {
  const webDir = await makeWebDir()
  const file = join(webDir, buildSettingsFile)
  if (text === undefined) await rm(file)
  else await writeFile(file, text)
  await expect(createTestApp({ webDir })).rejects.toThrow(
    'The web app’s build is not of this version: run npm run build',
  )
})

test('S25 the settings of the build are not served', async () => {
  const { inject } = await createTestApp({ webDir: await makeWebDir() })
  for (const url of [`/${buildSettingsFile}`, `/${buildSettingsFile}.gz`]) {
    const { headers, body } = await inject({ url })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).not.toContain('hasMapsKey')
  }
})
