import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

const repository = resolve(import.meta.dirname, '..')
/** In tenths, as for `--threshold`. A service without sandboxing has 96. */
const exposureMax = 15

/** deploy/astropelago.service as if this repository lay in /opt/astropelago. */
function placeUnit(change: (unit: string) => string = (unit) => unit): string {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-unit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'astropelago.service')
  const unit = readFileSync(join(repository, 'deploy/astropelago.service'), 'utf8')
  writeFileSync(path, change(unit.replaceAll('/opt/astropelago', repository)))
  return path
}

function exposure(unit: string) {
  const options = ['--offline=true', `--threshold=${exposureMax}`, '--no-pager']
  return spawnSync('systemd-analyze', ['security', ...options, unit], { encoding: 'utf8' })
}

describe.skipIf(process.platform !== 'linux')('deploy/astropelago.service', () => {
  test('systemd accepts every line', () => {
    const verify = ['verify', '--man=no', placeUnit()]
    const { status, stderr } = spawnSync('systemd-analyze', verify, { encoding: 'utf8' })
    // systemd only warns about an unknown setting.
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })

  test('the unit is sandboxed, and the check notices a weaker sandbox', () => {
    const judged = exposure(placeUnit())
    expect(judged.stdout).toContain('Overall exposure level for astropelago.service: 1.3')
    expect(judged.status).toBe(0)
    const weaker = placeUnit((unit) => unit.replace(/^SystemCallFilter=.*\n/gm, ''))
    expect(exposure(weaker).status).not.toBe(0)
  })
})
