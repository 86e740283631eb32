import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Whether systemd-nspawn can run anything here: a machine that is a container itself, or another user than
 * root, may not be allowed to. Says so where it can't.
 */
export function canNestSystems(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-nested-'))
  try {
    for (const name of ['usr', 'etc', 'tmp', 'root']) mkdirSync(join(folder, name))
    for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(folder, name))
    const nspawn = ['--quiet', '--register=no', '--keep-unit', '--console=pipe', '--bind-ro=/usr']
    const args = [...nspawn, `--directory=${folder}`, 'true']
    const { status, stderr } = spawnSync('systemd-nspawn', args, { encoding: 'utf8' })
    if (status !== 0) console.log(`  LEFT OUT, since no system can run within this one: ${stderr}`)
    return status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
